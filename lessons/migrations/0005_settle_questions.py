from collections import defaultdict
from typing import Any

from django.db import migrations


def settle(apps: Any, _editor: Any) -> None:
    """Two requests at once could make two questions of one step of a lesson. The one that was
    worked at stays the step's, or else the first; another that has answers keeps them, as
    that of no step, and one that has none goes."""
    Question = apps.get_model("lessons", "Question")
    same = defaultdict(list)
    for question in Question.objects.filter(place="lesson").order_by("pk").iterator():
        same[question.student_id, question.guest_id, question.moment].append(question)
    for questions in same.values():
        if len(questions) > 1:
            answered = {each.pk: each.answers.exists() for each in questions}
            questions.sort(
                key=lambda each: (each.solved is None, not answered[each.pk], each.pk)
            )
            for number, other in enumerate(questions[1:], start=2):
                if other.solved is None and not answered[other.pk]:
                    other.delete()
                else:
                    other.moment = f"{other.moment[:57]}.{number}"
                    other.save(update_fields=["moment"])


class Migration(migrations.Migration):
    """On its own: PostgreSQL makes no index of a table whose deleted rows are still checked."""

    dependencies = [("lessons", "0004_closed_steps")]

    operations = [migrations.RunPython(settle, migrations.RunPython.noop)]
