from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from games import retention
        from lessons.services import purge_questions

        retention.also["questions"] = purge_questions
