from django.apps import AppConfig


class ClassroomsConfig(AppConfig):
    name = "xactika_site.classrooms"
    label = "classrooms"
