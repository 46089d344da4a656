from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0016_homework"),
    ]

    operations = [
        migrations.AddField(
            model_name="table",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
    ]
