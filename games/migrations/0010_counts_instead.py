from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0009_seat_left_by"),
    ]

    operations = [
        migrations.AddField(
            model_name="sessionsettings",
            name="counts_instead",
            field=models.BooleanField(default=False),
        ),
    ]
