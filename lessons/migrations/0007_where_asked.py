import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """What says where a question was asked gets columns of its own; 0008 fills them."""

    dependencies = [("lessons", "0006_one_question_a_step")]

    operations = [
        migrations.RemoveConstraint(model_name="question", name="question_once_a_moment"),
        migrations.RemoveConstraint(model_name="question", name="guest_question_once_a_moment"),
        migrations.RemoveConstraint(model_name="question", name="lesson_question_once"),
        migrations.RemoveConstraint(model_name="question", name="guest_lesson_question_once"),
        migrations.AddField(
            model_name="question",
            name="visit",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="questions",
                to="lessons.visit",
            ),
        ),
        migrations.AddField(
            model_name="question",
            name="step",
            field=models.SlugField(blank=True, db_index=False, max_length=40),
        ),
        migrations.AddField(
            model_name="question",
            name="level",
            field=models.CharField(blank=True, max_length=1),
        ),
        migrations.AddField(
            model_name="question",
            name="skill",
            field=models.CharField(blank=True, max_length=16),
        ),
    ]
