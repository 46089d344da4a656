from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from games.classes.students import reminders
        from games.keeping import retention
        from lessons.homework.doing import has_open
        from lessons.homework.giving import purge
        from lessons.questions.asking import purge_questions
        from lessons.visits.doing import purge_visits

        reminders.append(has_open)
        retention.also["homework"] = purge
        retention.also["questions"] = purge_questions
        retention.also["visits of lessons"] = purge_visits
