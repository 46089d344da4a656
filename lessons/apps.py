from django.apps import AppConfig

from xactika_site.places import to_say


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from games.classes.students import reminders
        from games.keeping import retention
        from games.study.puzzles.daily import kept_back
        from lessons.homework.doing import has_open
        from lessons.homework.giving import open_puzzles, purge
        from lessons.questions.asking import purge_questions
        from lessons.visits.doing import purge_visits

        reminders.append(has_open)
        kept_back.append(open_puzzles)
        retention.also[to_say("homework")] = purge
        retention.also[to_say("questions")] = purge_questions
        retention.also[to_say("visits of lessons")] = purge_visits
