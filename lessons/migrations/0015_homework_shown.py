from django.db import migrations, models
from django.db.models import F


def fill(apps, _schema_editor):
    """The boards of what has closed lie open since then; of what was opened again before,
    nobody knows."""
    Homework = apps.get_model("lessons", "Homework")
    Homework.objects.filter(shown=None, closed__isnull=False).update(shown=F("closed"))


class Migration(migrations.Migration):
    dependencies = [
        ("lessons", "0014_open_draws"),
    ]

    operations = [
        migrations.AddField(
            model_name="homework",
            name="shown",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
