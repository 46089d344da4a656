from django.contrib.auth import views as auth
from django.urls import path, reverse_lazy

from xactika_site.accounts import forms, services, views

urlpatterns = [
    path(
        "login/",
        views.SignInPage.as_view(
            template_name="accounts/login.html",
            redirect_authenticated_user=True,
            extra_context={"nobody_yet": services.nobody_yet},
        ),
        name="login",
    ),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("start/<str:token>/", views.first, name="first"),
    path("invited/<str:token>/", views.invited, name="invited"),
    path(
        "reset/<str:uidb64>/<str:token>/",
        views.NewPassword.as_view(
            template_name="accounts/new_password.html",
            form_class=forms.NewPasswordForm,
            success_url=reverse_lazy("teach"),
            post_reset_login=True,
            post_reset_login_backend=views.BACKEND,
        ),
        name="reset",
    ),
    path("account/", views.account, name="account"),
    path("account/copy/", views.keep_a_copy, name="keep_a_copy"),
    path("account/invitations/", views.invitations, name="invitations"),
    path(
        "account/password/",
        auth.PasswordChangeView.as_view(
            template_name="accounts/password.html",
            form_class=forms.OtherPasswordForm,
            success_url=reverse_lazy("account", query={"done": "password"}),
        ),
        name="password",
    ),
]
