"""Rooms and visits that have begun keep the bot that was drawn for them."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("lessons", "0013_homework_ends")]

    operations = [
        operation
        for model in ("lessonrun", "visit")
        for operation in (
            migrations.AddField(model, "draw", models.PositiveSmallIntegerField(default=0)),
            migrations.AlterField(model, "draw", models.PositiveSmallIntegerField(default=1)),
        )
    ]
