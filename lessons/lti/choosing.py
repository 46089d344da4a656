"""A link that a teacher puts into a course: what it opens is chosen here."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from django import forms
from django.utils.translation import gettext_lazy as _

from lessons.lti.grades import new_item
from lessons.lti.launches import CLAIM, Launch
from lessons.lti.sealing import signed
from lessons.lti.targets import TargetKind, targets_in
from xactika_site.classrooms.models import Classroom
from xactika_site.rate_limit import MINUTE

LINKS = "https://purl.imsglobal.org/spec/lti-dl/claim/"

GROUPS = {
    TargetKind.HOMEWORK: _("Homework"),
    TargetKind.TEST: _("Tests"),
    TargetKind.LESSON: _("Lessons"),
    TargetKind.PRACTICE: _("Practice"),
    TargetKind.PUZZLES: _("Puzzles"),
}


class TargetForm(forms.Form):
    """What the link opens."""

    target = forms.ChoiceField(label=_("What does the link open?"))

    def __init__(self, classroom: Classroom, sent: Mapping[str, str] | None) -> None:
        super().__init__(sent)
        targets = targets_in(classroom)
        self.fields["target"].choices = [  # type: ignore[attr-defined]
            (title, [(each.text, each.title) for each in targets if each.kind is kind])
            for kind, title in GROUPS.items()
        ]


def answer(launch: Launch, classroom: Classroom, text: str, own: str) -> str:
    """The signed answer to a platform that asked for a link; ``own`` is the address of our
    launch, to which it leads."""
    item = new_item(text, classroom)
    link = {
        "type": "ltiResourceLink",
        "title": item["label"],
        "url": own,
        "custom": {"target": text},
    } | ({} if text == TargetKind.PUZZLES else {"lineItem": item})
    claims = {
        "iss": launch.client_id,
        "aud": launch.issuer,
        "nonce": secrets.token_urlsafe(),
        f"{CLAIM}deployment_id": launch.deployment,
        f"{CLAIM}message_type": "LtiDeepLinkingResponse",
        f"{CLAIM}version": "1.3.0",
        f"{LINKS}content_items": [link],
    } | ({f"{LINKS}data": launch.data} if launch.data else {})
    return signed(claims, 5 * MINUTE)
