"""Reads dashboards with Grafana's own model of them, and names what the model does not know.

usage: check_dashboard.py FILE...     a line per finding; exit status 1 when there is one

The model (PyPI grafana-foundation-sdk) is generated from Grafana's schemas. It keeps what it knows, so what is missing when it
writes a dashboard down again is a name that we made up.
"""
import json
import sys

from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.cog.plugins import register_default_plugins
from grafana_foundation_sdk.models.dashboard import Dashboard

# Of an annotation's question the model knows tags alone, of questions to PostgreSQL nothing: it keeps the latter as they are.
NOT_MODELED = ("/annotations/list[0]/target/",)


def lost(written, kept, path=""):
    if isinstance(written, dict):
        for key, value in written.items():
            if not isinstance(kept, dict) or key not in kept:
                yield f"{path}/{key}"
            else:
                yield from lost(value, kept[key], f"{path}/{key}")
    elif isinstance(written, list) and isinstance(kept, list) and len(written) == len(kept):
        for index, pair in enumerate(zip(written, kept)):
            yield from lost(*pair, f"{path}[{index}]")
    elif written != kept:
        yield path


def main():
    register_default_plugins()
    findings = 0
    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as file:
            written = json.load(file)
        kept = json.loads(JSONEncoder().encode(Dashboard.from_json(written)))
        for path in lost(written, kept):
            if not path.startswith(NOT_MODELED):
                findings += 1
                print(f"{name}: {path} is not known to Grafana's model")
    sys.exit(1 if findings else 0)


main()
