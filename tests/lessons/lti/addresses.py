"""All addresses of a site on which LTI is switched on."""

from django.urls import include, path

from xactika_site.urls import handler500 as handler500
from xactika_site.urls import urlpatterns as ours

urlpatterns = [*ours, path("lti/", include("lessons.lti.urls"))]
