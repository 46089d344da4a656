from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0008_chapters"),
    ]

    operations = [
        migrations.AddField(
            model_name="classroom",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
        migrations.AddField(
            model_name="classsession",
            name="language",
            field=models.CharField(blank=True, default="", max_length=10),
        ),
        migrations.AddField(
            model_name="student",
            name="phrase_words",
            field=models.CharField(default="en", max_length=10),
        ),
    ]
