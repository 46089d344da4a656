from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "xactika_site.accounts"
    label = "accounts"
