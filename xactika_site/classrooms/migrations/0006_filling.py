from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("classrooms", "0005_student_noted"),
    ]

    operations = [
        migrations.AddField(
            model_name="attendance",
            name="newcomer",
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name="classsession",
            name="expected",
            field=models.PositiveSmallIntegerField(default=40),
        ),
        migrations.AddField(
            model_name="returnrequest",
            name="lane",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
    ]
