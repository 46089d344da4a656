import re
from typing import Any

from django.db import migrations

AT_TABLE = {"bid", "deal", "slough", "end"}
IN_LESSON = re.compile(r"(?P<lesson>[^/]+)/(?P<step>[^/]*)/(?P<visit>\d+)(?P<other>\.\d+)?")
IN_PRACTICE = re.compile(r"(?P<level>[A-Z]?)/(?P<skill>[a-z]{0,16})")
FIELDS = ["moment", "visit", "step", "level", "skill"]
GONE = "gone"  # a lesson that is known no more, as its visit has expired
BATCH = 500


def carry(apps: Any, _editor: Any) -> None:
    """A question's moment was one text: of the deal ("bid"; the demo class's were "end.hook"),
    of a lesson ("bell/do/7": lesson, step, visit; "bell/do/7.2" for one that is no step's any
    more), or what was wished for in practice ("A/graphs")."""
    Question = apps.get_model("lessons", "Question")
    visits = {
        pk: facts
        for pk, *facts in apps.get_model("lessons", "Visit")
        .objects.values_list("pk", "student", "guest", "lesson")
        .iterator()
    }
    changed = []
    for question in Question.objects.exclude(moment="").order_by("pk").iterator(BATCH):
        moment, question.moment = question.moment, ""
        if question.place == "table" and moment in AT_TABLE:
            question.moment = moment
        elif question.place == "lesson" and (found := IN_LESSON.fullmatch(moment)):
            owner = [question.student_id, question.guest_id, found["lesson"]]
            if visits.get(int(found["visit"])) == owner:
                question.visit_id = int(found["visit"])
            is_none = found["other"] and found["lesson"] != GONE
            question.step = "" if is_none else found["step"][:40]
        elif question.place == "practice" and (found := IN_PRACTICE.fullmatch(moment)):
            question.level, question.skill = found["level"], found["skill"]
        changed.append(question)
        if len(changed) == BATCH:
            Question.objects.bulk_update(changed, FIELDS)
            changed.clear()
    Question.objects.bulk_update(changed, FIELDS, batch_size=BATCH)


def carry_back(apps: Any, _editor: Any) -> None:
    """The texts again. Of what no step or moment has, each is made different: the rules of then
    asked for that."""
    Question = apps.get_model("lessons", "Question")
    changed = []
    for question in Question.objects.select_related("visit").order_by("pk").iterator(BATCH):
        moment = question.moment
        if question.place == "lesson":
            lesson, visit = GONE, 0
            if question.visit is not None:
                lesson, visit = question.visit.lesson, question.visit.pk
            is_one = question.visit is not None and question.step
            moment = f"{lesson}/{question.step}/{visit}" + ("" if is_one else f".{question.pk}")
        elif question.place == "practice" and question.level + question.skill:
            moment = f"{question.level}/{question.skill}"
        elif question.deal_id is not None and not moment:
            moment = f"end.{question.exercise}"
        if moment != question.moment:
            question.moment = moment
            changed.append(question)
        if len(changed) == BATCH:
            Question.objects.bulk_update(changed, ["moment"])
            changed.clear()
    Question.objects.bulk_update(changed, ["moment"], batch_size=BATCH)


class Migration(migrations.Migration):
    """On its own: PostgreSQL makes no index of a table whose changed rows are still checked."""

    dependencies = [("lessons", "0007_where_asked")]

    operations = [migrations.RunPython(carry, carry_back)]
