from django.db import migrations, models


def keep_what_is_closed(apps, _schema_editor):
    LessonRun = apps.get_model("lessons", "LessonRun")
    for run in LessonRun.objects.filter(closed=True):
        run.shut = [run.step]
        run.save(update_fields=["shut"])


def open_what_was_left(apps, _schema_editor):
    LessonRun = apps.get_model("lessons", "LessonRun")
    for run in LessonRun.objects.exclude(shut=[]):
        run.closed = run.step in run.shut
        run.save(update_fields=["closed"])


class Migration(migrations.Migration):
    dependencies = [
        ("lessons", "0003_lesson_runs"),
    ]

    operations = [
        migrations.AddField(
            model_name="lessonrun",
            name="shut",
            field=models.JSONField(default=list),
        ),
        migrations.RunPython(keep_what_is_closed, open_what_was_left),
        migrations.RemoveField(model_name="lessonrun", name="closed"),
    ]
