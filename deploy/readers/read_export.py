#!/usr/bin/env python3
"""Opens a file that 'castledger export' wrote, with a library that other people wrote, and says as JSON what it read.

usage: read_export.py csv|html|ics|otio|xmltv FILE
"""
import json
import sys


def read_csv(path):
    import csv

    csv.field_size_limit(1 << 24)
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def read_ics(path):
    from icalendar import Calendar

    with open(path, "rb") as file:
        content = file.read()
    calendar = Calendar.from_ical(content)
    broken = [str(part.errors) for part in calendar.walk() if getattr(part, "errors", None)]

    def moment(event, name):
        return event[name].dt.isoformat() if name in event else None

    events = [
        {
            "uid": str(event["UID"]),
            "stamp": moment(event, "DTSTAMP"),
            "start": moment(event, "DTSTART"),
            "end": moment(event, "DTEND"),
            "summary": str(event["SUMMARY"]),
            "location": str(event["LOCATION"]),
            "description": str(event["DESCRIPTION"]),
            "categories": [str(name) for name in event["CATEGORIES"].cats] if "CATEGORIES" in event else [],
        }
        for event in calendar.walk("VEVENT")
    ]
    lines = content.split(b"\r\n")
    return {
        "broken": broken,
        "version": str(calendar["VERSION"]),
        "longest_line": max(len(line) for line in lines),
        "ends_with_line": lines[-1] == b"",
        "stray_line_breaks": sum(line.count(b"\n") + line.count(b"\r") for line in lines),
        "events": events,
    }


def read_otio(path):
    import opentimelineio as otio

    timeline = otio.adapters.read_from_file(path, "otio_json")
    assert timeline.to_json_string() == otio.adapters.read_from_string(
        timeline.to_json_string(), "otio_json"
    ).to_json_string()

    def seconds(time):
        assert time.rate == 1000, time
        return time.value / 1000

    def plain(value):
        if isinstance(value, (str, int, float, bool)) or value is None:
            return value
        if hasattr(value, "items"):
            return {key: plain(element) for key, element in value.items()}
        return [plain(element) for element in value]

    def item(child, track):
        placed = track.range_of_child(child)
        return {
            "kind": type(child).__name__,
            "name": child.name,
            "at": seconds(placed.start_time),
            "for": seconds(placed.duration),
            "skips": seconds(child.source_range.start_time),
            "metadata": plain(child.metadata),
        }

    tracks = [
        {
            "name": track.name,
            "kind": track.kind,
            "metadata": plain(track.metadata),
            "for": seconds(track.duration()),
            "items": [item(child, track) for child in track],
            "markers": [
                {
                    "name": marker.name,
                    "from": seconds(marker.marked_range.start_time),
                    "for": seconds(marker.marked_range.duration),
                    "comment": marker.comment,
                    "color": marker.color,
                    "metadata": plain(marker.metadata),
                }
                for marker in track.markers
            ],
        }
        for track in timeline.tracks
    ]
    return {
        "name": timeline.name,
        "begins": seconds(timeline.global_start_time),
        "for": seconds(timeline.duration()) if tracks else 0,
        "tracks": tracks,
    }


def read_xmltv(path):
    import xml.etree.ElementTree as tree

    root = tree.parse(path).getroot()
    return {
        "channels": [
            {"id": channel.get("id"), "name": channel.findtext("display-name")} for channel in root.findall("channel")
        ],
        "programmes": [
            {
                **dict(programme.attrib),
                **{child.tag: child.text for child in programme},
            }
            for programme in root.findall("programme")
        ],
    }


def read_html(path):
    import base64
    import hashlib
    from collections import Counter
    from html.parser import HTMLParser

    class Page(HTMLParser):
        empty = {"meta", "br", "rect", "path"}

        def __init__(self):
            super().__init__(convert_charrefs=True)
            self.open, self.texts, self.shapes = [], [], Counter()
            self.policy, self.style, self.foreign, self.tags = None, "", [], Counter()

        def handle_starttag(self, tag, attributes):
            named = dict(attributes)
            self.tags[tag] += 1
            if named.get("http-equiv") == "Content-Security-Policy":
                self.policy = named["content"]
            if tag in ("rect", "path") and "class" in named and "legend" not in self.open:
                self.shapes[f"{tag}.{named['class']}"] += 1
            for name, value in attributes:
                if name in ("src", "href", "style", "srcset", "action", "data") or name.startswith("on"):
                    self.foreign.append(f"{tag} {name}={value}")
            if tag == "ul" and named.get("class") == "legend":
                self.open.append("legend")
            elif tag not in self.empty:
                self.open.append(tag)

        def handle_endtag(self, tag):
            if tag in self.empty:
                return
            top = self.open.pop()
            if top not in (tag, "legend"):
                self.foreign.append(f"</{tag}> closes <{top}>")

        def handle_data(self, data):
            if self.open and self.open[-1] == "style":
                self.style += data
            elif data.strip():
                self.texts.append(data.strip())

    page = Page()
    with open(path, encoding="utf-8") as file:
        page.feed(file.read())
    page.close()
    digest = base64.b64encode(hashlib.sha256(page.style.encode()).digest()).decode()
    return {
        "policy": page.policy,
        "style": f"sha256-{digest}",
        "texts": page.texts,
        "shapes": page.shapes,
        "foreign": page.foreign,
        "scripts": page.tags["script"],
        "left_open": page.open,
        "fetches": [word for word in ("url(http", "@import", "<link", "<img", "<iframe") if word in page.style],
    }


readers = {"csv": read_csv, "html": read_html, "ics": read_ics, "otio": read_otio, "xmltv": read_xmltv}
json.dump(readers[sys.argv[1]](sys.argv[2]), sys.stdout, ensure_ascii=True)
