from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lessons", "0008_carry_moments")]

    operations = [
        migrations.AlterField(
            model_name="question",
            name="moment",
            field=models.CharField(blank=True, max_length=8),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(("place", "table"), ("moment", ""), _connector="OR"),
                name="question_moment_at_table",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("place", "lesson"),
                    models.Q(("step", ""), ("visit", None)),
                    _connector="OR",
                ),
                name="question_step_in_lesson",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("place", "practice"),
                    models.Q(("level", ""), ("skill", "")),
                    _connector="OR",
                ),
                name="question_wish_in_practice",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("deal__isnull", False),
                    ("student__isnull", False),
                    models.Q(("moment", ""), _negated=True),
                ),
                fields=("deal", "student", "moment"),
                name="question_once_a_moment",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("deal__isnull", False),
                    ("guest__isnull", False),
                    models.Q(("moment", ""), _negated=True),
                ),
                fields=("deal", "guest", "moment"),
                name="guest_question_once_a_moment",
            ),
        ),
        migrations.AddConstraint(
            model_name="question",
            constraint=models.UniqueConstraint(
                condition=models.Q(
                    ("visit__isnull", False), models.Q(("step", ""), _negated=True)
                ),
                fields=("visit", "step"),
                name="question_once_a_step",
            ),
        ),
    ]
