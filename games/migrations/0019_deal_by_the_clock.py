from django.db import migrations, models

import xactika_site.clock


class Migration(migrations.Migration):
    """No column changes: the time of a deal is by the clock that all processes share."""

    dependencies = [
        ("games", "0018_experiments"),
    ]

    operations = [
        migrations.AlterField(
            model_name="deal",
            name="created",
            field=models.DateTimeField(default=xactika_site.clock.now, editable=False),
        ),
    ]
