from django.urls import path

from xactika_site.classrooms import views

urlpatterns = [
    path("", views.teach, name="teach"),
    path("guide/", views.guide, name="guide"),
    path("classrooms/<int:classroom_id>/", views.classroom, name="classroom"),
    path("classrooms/<int:classroom_id>/change/", views.change, name="classroom_change"),
    path("classrooms/<int:classroom_id>/sheet/", views.sheet, name="sheet"),
    path("classrooms/<int:classroom_id>/roster/", views.roster, name="roster"),
    path("students/<int:student_id>/change/", views.change_student, name="student_change"),
    path("shared/<str:token>/", views.shared, name="shared"),
    path("account/delete/", views.goodbye, name="goodbye"),
]
