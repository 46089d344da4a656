from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("classrooms", "0006_filling")]

    operations = [
        migrations.AddField(
            model_name="classsession",
            name="name",
            field=models.CharField(blank=True, max_length=40, default=""),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="classsession",
            name="names_hidden",
            field=models.BooleanField(default=False),
        ),
    ]
