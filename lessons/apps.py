from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from games.keeping import retention
        from lessons.homework.giving import purge
        from lessons.questions.asking import purge_questions
        from lessons.visits.doing import purge_visits

        retention.also["homework"] = purge
        retention.also["questions"] = purge_questions
        retention.also["visits of lessons"] = purge_visits
