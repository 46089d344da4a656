from django.apps import AppConfig

from xactika_site.locations import gettext_noop


class LessonsConfig(AppConfig):
    name = "lessons"

    def ready(self) -> None:
        from games.classes import learning
        from games.classes.state import plays_at
        from games.classes.students import reminders
        from games.keeping import retention
        from games.study.puzzles.daily import kept_back
        from lessons.homework import cover
        from lessons.homework.doing import has_open
        from lessons.homework.giving import open_puzzles, purge
        from lessons.questions.asking import purge_questions
        from lessons.visits.doing import purge_visits
        from lessons.visits.ways import is_played

        reminders.append(has_open)
        kept_back.append(open_puzzles)
        plays_at.append(is_played)
        learning.also.append(cover.note_chapter)
        retention.also[gettext_noop("Homework")] = purge
        retention.also[gettext_noop("Cover lessons")] = cover.purge
        retention.also[gettext_noop("Questions")] = purge_questions
        retention.also[gettext_noop("Visits of lessons")] = purge_visits
