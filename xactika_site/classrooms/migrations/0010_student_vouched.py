from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0009_languages"),
    ]

    operations = [
        migrations.AddField(
            model_name="student",
            name="vouched",
            field=models.BooleanField(default=False),
        ),
    ]
