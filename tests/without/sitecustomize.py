"""Put on PYTHONPATH: makes what XACTIKA_WITHOUT names (with commas) impossible to import, as if
this were another system, or less were installed."""

import os
import sys

for _name in os.environ.get("XACTIKA_WITHOUT", "").split(","):
    if _name:
        sys.modules[_name] = None  # type: ignore[assignment]
