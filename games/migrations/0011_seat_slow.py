from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0010_counts_instead")]

    operations = [
        migrations.AddField(
            model_name="seat", name="slow", field=models.BooleanField(default=False)
        ),
    ]
