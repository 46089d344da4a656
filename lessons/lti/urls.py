from django.urls import path

from lessons.lti import views

urlpatterns = [
    path("login/", views.login, name="lti_login"),
    path("launch/", views.launch, name="lti_launch"),
    path("open/<str:state>/", views.opened, name="lti_open"),
    path("first/<str:state>/", views.first, name="lti_first"),
    path("course/<str:token>/", views.course, name="lti_course"),
    path("choose/<str:state>/", views.choose, name="lti_choose"),
    path("class/<int:classroom_id>/", views.grades, name="lti_grades"),
    path("register/<str:token>/", views.register, name="lti_register"),
    path("keys/", views.keys, name="lti_keys"),
]
