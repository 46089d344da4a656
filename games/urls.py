from django.urls import include, path, re_path

from games.live.consumers import SessionConsumer, TableConsumer
from games.pages import (
    boards,
    data,
    device,
    groups,
    joining,
    league,
    learning,
    lobby,
    odds,
    paper,
    polls,
    positions,
    puzzles,
    replay_wall,
    same_board,
    sessions,
    tables,
    tournament,
)

a_table = [
    path("", tables.table, name="table"),
    path("steer/", tables.steer, name="steer"),
    path("again/", tables.again, name="again"),
    path("odds/", odds.odds, name="odds"),
    path("review/<int:number>/", odds.review_round, name="review"),
    path("boards/<int:number>/", boards.board, name="table_board"),
    path("replay/<int:number>/", positions.replay, name="replay"),
    path("rounds/<int:number>/again/", same_board.play_again, name="round_again"),
    path("boards/<int:number>/ways/", boards.board_paths, name="board_paths"),
]
a_position = [
    path("", positions.position, name="position"),
    path("chances/", positions.chances, name="position_chances"),
    path("paths/", positions.paths, name="position_paths"),
    path("again/", positions.compare_moves, name="compare_moves"),
    path("play/", positions.play_on_from, name="position_play"),
    path("same/", same_board.same_board, name="same_board"),
]
a_teachers_student = [
    path("moves.jsonl", data.export_student, name="student_moves"),
    path("delete/", data.delete_student, name="student_delete"),
]
a_teachers_classroom = [
    path("moves.jsonl", data.export_classroom, name="classroom_moves"),
    path("unplayed/delete/", data.delete_unplayed, name="unplayed_delete"),
    path("session/", sessions.session_new, name="session_new"),
    path("league/", league.classroom_league, name="classroom_league"),
]
a_teachers_session = [
    path("moves.jsonl", data.export_session, name="session_moves"),
    path("delete/", data.delete_session, name="session_delete"),
    path("", sessions.cockpit, name="session"),
    path("do/", sessions.do, name="session_do"),
    path("settings/", sessions.session_settings, name="session_settings"),
    path("groups/", groups.session_groups, name="session_groups"),
    path("projector/", sessions.projector, name="projector"),
    path("projector/replay/", replay_wall.session_replay, name="session_replay"),
    path("tournament/", tournament.session_tournament, name="session_tournament"),
    path("poll/", polls.session_poll, name="session_poll"),
    path("paper/", paper.session_paper, name="session_paper"),
    path("tables/<slug:table_id>/", sessions.session_table, name="session_table"),
]

urlpatterns = [
    path("", tables.home, name="home"),
    path("play/", tables.play, name="play"),
    path("join/", joining.join, name="join"),
    path("join/<str:code>/", joining.join_code, name="join_code"),
    path("class/<int:session_id>/", lobby.lobby, name="lobby"),
    path("class/<int:session_id>/done/", lobby.lobby_done, name="lobby_done"),
    path("class/<int:session_id>/poll/", polls.poll, name="poll"),
    path("seat/<str:token>/", tables.seat_link, name="seat"),
    path("watch/<str:token>/", tables.watch_link, name="watch"),
    path("tables/<slug:table_id>/", include(a_table)),
    path("positions/<slug:position_id>/", include(a_position)),
    path("learn/play/", learning.learn_by_playing, name="learn_by_playing"),
    path("learn/play/<slug:slug>/", learning.chapter, name="chapter"),
    path("learn/play/<slug:slug>/<int:number>/", learning.chapter, name="chapter_position"),
    path("paper/", paper.deck, name="paper_deck"),
    path("paper/slips/", paper.slips, name="paper_slips"),
    path("puzzles/", puzzles.today, name="puzzles"),
    path("puzzles/all/", puzzles.archive, name="puzzle_archive"),
    path("puzzles/<str:day>/", puzzles.puzzle, name="puzzle"),
    path("puzzles/<str:day>/play/", puzzles.play_on, name="puzzle_play"),
    path("puzzles/<str:day>/replay/", puzzles.replay, name="puzzle_replay"),
    path("device/", device.device, name="device"),
    path("privacy/", data.privacy, name="privacy"),
    path("league/next/", league.next_game, name="league_next"),
    path("league/<int:classroom_id>/", league.class_league, name="class_league"),
    path("teach/students/<int:student_id>/", include(a_teachers_student)),
    path("teach/classrooms/delete/", data.delete_classrooms, name="classrooms_delete"),
    path("teach/classrooms/<int:classroom_id>/", include(a_teachers_classroom)),
    path("teach/sessions/<int:session_id>/", include(a_teachers_session)),
]

websocket_urlpatterns = [
    path("ws/sessions/<int:session_id>/", SessionConsumer.as_asgi()),
    path("ws/tables/<slug:table_id>/", TableConsumer.as_asgi()),
    # Any other address is answered like a table that does not exist.
    re_path("", TableConsumer.as_asgi(), {"table_id": ""}),
]
