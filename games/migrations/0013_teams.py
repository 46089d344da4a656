from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0012_positions")]

    operations = [
        migrations.AddField(
            model_name="sessionsettings",
            name="teams",
            field=models.BooleanField(default=False),
        ),
    ]
