import django.db.models.deletion
from django.db import migrations, models

import games.models


class Migration(migrations.Migration):
    dependencies = [("games", "0011_seat_slow")]

    operations = [
        migrations.AlterField(
            model_name="table",
            name="kind",
            field=models.CharField(
                choices=[
                    ("solo", "one person and bots"),
                    ("friends", "friends"),
                    ("class", "a class session"),
                    ("study", "played on from a position"),
                ],
                max_length=8,
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="mover",
            field=models.CharField(
                choices=[
                    ("person", "a person"),
                    ("bot", "a bot"),
                    ("clock", "the clock"),
                    ("given", "the position that is played on from"),
                ],
                max_length=6,
            ),
        ),
        migrations.CreateModel(
            name="Position",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.models.new_table_id,
                        max_length=20,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("moves", models.PositiveSmallIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="positions",
                        to="games.deal",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("deal", "moves", "seat"), name="position_once"
                    )
                ],
            },
        ),
        migrations.AddField(
            model_name="table",
            name="position",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="tables",
                to="games.position",
            ),
        ),
    ]
