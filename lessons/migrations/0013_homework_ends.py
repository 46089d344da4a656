from datetime import UTC, datetime, time, timedelta

from django.db import migrations, models


def fill(apps, _schema_editor):
    """What was given out before ends with its last day, by the server's clock."""
    Homework = apps.get_model("lessons", "Homework")
    for homework in Homework.objects.filter(ends=None):
        day = homework.until + timedelta(days=1)
        homework.ends = datetime.combine(day, time.min, tzinfo=UTC)
        homework.save(update_fields=["ends"])


class Migration(migrations.Migration):
    dependencies = [
        ("lessons", "0012_hints"),
    ]

    operations = [
        migrations.AddField(
            model_name="homework",
            name="ends",
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="homework",
            name="ends",
            field=models.DateTimeField(),
        ),
    ]
