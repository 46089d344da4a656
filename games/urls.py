from django.urls import path, re_path

from games import class_views, views
from games.consumers import SessionConsumer, TableConsumer

urlpatterns = [
    path("", views.home, name="home"),
    path("healthz", views.healthz, name="healthz"),
    path("play/", views.play, name="play"),
    path("seat/<str:token>/", views.seat_link, name="seat"),
    path("watch/<str:token>/", views.watch_link, name="watch"),
    path("tables/<slug:table_id>/", views.table, name="table"),
    path("tables/<slug:table_id>/steer/", views.steer, name="steer"),
    path("tables/<slug:table_id>/again/", views.again, name="again"),
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
    path("teach/sessions/<int:session_id>/projector/", class_views.projector, name="projector"),
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
