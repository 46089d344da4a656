from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.db.models.signals import pre_migrate


class AccountsConfig(AppConfig):
    name = "xactika_site.accounts"
    label = "accounts"

    def ready(self) -> None:
        from xactika_site import clock, database

        connection_created.connect(clock.ask_now_and_then)
        pre_migrate.connect(database.copy_first, sender=self)
