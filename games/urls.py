from django.urls import path, re_path

from games.live.consumers import SessionConsumer, TableConsumer
from games.pages import boards as board_views
from games.pages import data as data_views
from games.pages import (
    device,
    groups,
    joining,
    learning,
    lobby,
    polls,
    replay_wall,
    same_board,
    tournament,
)
from games.pages import league as league_views
from games.pages import odds as odds_views
from games.pages import paper as paper_views
from games.pages import positions as position_views
from games.pages import puzzles as puzzle_views
from games.pages import sessions as class_views
from games.pages import tables as views

urlpatterns = [
    path("", views.home, name="home"),
    path("play/", views.play, name="play"),
    path("join/", joining.join, name="join"),
    path("join/<str:code>/", joining.join_code, name="join_code"),
    path("class/<int:session_id>/", lobby.lobby, name="lobby"),
    path("class/<int:session_id>/done/", lobby.lobby_done, name="lobby_done"),
    path("seat/<str:token>/", views.seat_link, name="seat"),
    path("watch/<str:token>/", views.watch_link, name="watch"),
    path("tables/<slug:table_id>/", views.table, name="table"),
    path("tables/<slug:table_id>/steer/", views.steer, name="steer"),
    path("tables/<slug:table_id>/again/", views.again, name="again"),
    path("tables/<slug:table_id>/odds/", odds_views.odds, name="odds"),
    path(
        "tables/<slug:table_id>/review/<int:number>/",
        odds_views.review_round,
        name="review",
    ),
    path("tables/<slug:table_id>/boards/<int:number>/", board_views.board, name="table_board"),
    path("tables/<slug:table_id>/replay/<int:number>/", position_views.replay, name="replay"),
    path("positions/<slug:position_id>/", position_views.position, name="position"),
    path(
        "positions/<slug:position_id>/chances/",
        position_views.chances,
        name="position_chances",
    ),
    path("positions/<slug:position_id>/paths/", position_views.paths, name="position_paths"),
    path(
        "positions/<slug:position_id>/again/",
        position_views.compare_moves,
        name="compare_moves",
    ),
    path(
        "positions/<slug:position_id>/play/", position_views.play_on_from, name="position_play"
    ),
    path("learn/play/", learning.learn_by_playing, name="learn_by_playing"),
    path("learn/play/<slug:slug>/", learning.chapter, name="chapter"),
    path("learn/play/<slug:slug>/<int:number>/", learning.chapter, name="chapter_position"),
    path("paper/", paper_views.deck, name="paper_deck"),
    path("paper/slips/", paper_views.slips, name="paper_slips"),
    path("puzzles/", puzzle_views.today, name="puzzles"),
    path("puzzles/all/", puzzle_views.archive, name="puzzle_archive"),
    path("puzzles/<str:day>/", puzzle_views.puzzle, name="puzzle"),
    path("puzzles/<str:day>/play/", puzzle_views.play_on, name="puzzle_play"),
    path("puzzles/<str:day>/replay/", puzzle_views.replay, name="puzzle_replay"),
    path(
        "tables/<slug:table_id>/rounds/<int:number>/again/",
        same_board.play_again,
        name="round_again",
    ),
    path("positions/<slug:position_id>/same/", same_board.same_board, name="same_board"),
    path(
        "tables/<slug:table_id>/boards/<int:number>/ways/",
        board_views.board_paths,
        name="board_paths",
    ),
    path("device/", device.device, name="device"),
    path("privacy/", data_views.privacy, name="privacy"),
    path(
        "teach/students/<int:student_id>/moves.jsonl",
        data_views.export_student,
        name="student_moves",
    ),
    path(
        "teach/sessions/<int:session_id>/moves.jsonl",
        data_views.export_session,
        name="session_moves",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/moves.jsonl",
        data_views.export_classroom,
        name="classroom_moves",
    ),
    path(
        "teach/students/<int:student_id>/delete/",
        data_views.delete_student,
        name="student_delete",
    ),
    path(
        "teach/sessions/<int:session_id>/delete/",
        data_views.delete_session,
        name="session_delete",
    ),
    path("teach/classrooms/delete/", data_views.delete_classrooms, name="classrooms_delete"),
    path(
        "teach/classrooms/<int:classroom_id>/unplayed/delete/",
        data_views.delete_unplayed,
        name="unplayed_delete",
    ),
    path(
        "teach/classrooms/<int:classroom_id>/session/",
        class_views.session_new,
        name="session_new",
    ),
    path("teach/sessions/<int:session_id>/", class_views.cockpit, name="session"),
    path("teach/sessions/<int:session_id>/do/", class_views.do, name="session_do"),
    path(
        "teach/sessions/<int:session_id>/settings/",
        class_views.session_settings,
        name="session_settings",
    ),
    path(
        "teach/sessions/<int:session_id>/groups/",
        groups.session_groups,
        name="session_groups",
    ),
    path("teach/sessions/<int:session_id>/projector/", class_views.projector, name="projector"),
    path(
        "teach/sessions/<int:session_id>/projector/replay/",
        replay_wall.session_replay,
        name="session_replay",
    ),
    path(
        "teach/sessions/<int:session_id>/tournament/",
        tournament.session_tournament,
        name="session_tournament",
    ),
    path("teach/sessions/<int:session_id>/poll/", polls.session_poll, name="session_poll"),
    path("class/<int:session_id>/poll/", polls.poll, name="poll"),
    path("league/next/", league_views.next_game, name="league_next"),
    path("league/<int:classroom_id>/", league_views.class_league, name="class_league"),
    path(
        "teach/classrooms/<int:classroom_id>/league/",
        league_views.classroom_league,
        name="classroom_league",
    ),
    path(
        "teach/sessions/<int:session_id>/paper/",
        paper_views.session_paper,
        name="session_paper",
    ),
    path(
        "teach/sessions/<int:session_id>/tables/<slug:table_id>/",
        class_views.session_table,
        name="session_table",
    ),
]

websocket_urlpatterns = [
    path("ws/sessions/<int:session_id>/", SessionConsumer.as_asgi()),
    path("ws/tables/<slug:table_id>/", TableConsumer.as_asgi()),
    # Any other address is answered like a table that does not exist.
    re_path("", TableConsumer.as_asgi(), {"table_id": ""}),
]
