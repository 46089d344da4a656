from django.apps import AppConfig
from django.db.models.signals import pre_migrate


class AccountsConfig(AppConfig):
    name = "xactika_site.accounts"
    label = "accounts"

    def ready(self) -> None:
        from xactika_site import database

        pre_migrate.connect(database.copy_first, sender=self)
