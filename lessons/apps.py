from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from games import retention
        from lessons.lesson_services import purge_visits
        from lessons.services import purge_questions

        retention.also["questions"] = purge_questions
        retention.also["visits of lessons"] = purge_visits
