#!/usr/bin/env python3
"""Drives one device with pychromecast, as another sender would: LOAD, pause, seek, volume, tracks, style, stop.

usage: pychromecast_session.py HOST PORT [--pause SECONDS]

Prints one JSON object per step: {"step": ..., "request_id": ..., "ok": ...}. Exit status: 0 when every step succeeded,
1 when one failed, 2 when the device cannot be reached. Needs pychromecast 14 from PyPI.
"""
import argparse
import json
import sys
import threading
import uuid

import pychromecast
from pychromecast.controllers.media import MediaStatusListener
from pychromecast.models import CastInfo, HostServiceInfo

FILM = {
    "contentId": "https://media.example/real-senders/film.mp4",
    "contentType": "video/mp4",
    "title": "Film from pychromecast",
}
TRACKS = [
    {"trackId": 1, "type": "TEXT", "subtype": "SUBTITLES", "language": "en", "name": "English",
     "trackContentId": "https://media.example/en.vtt", "trackContentType": "text/vtt"},
    {"trackId": 2, "type": "TEXT", "subtype": "SUBTITLES", "language": "de", "name": "Deutsch",
     "trackContentId": "https://media.example/de.vtt", "trackContentType": "text/vtt"},
]
STYLE = {"foregroundColor": "#FFFF00FF", "backgroundColor": "#00000000", "edgeType": "OUTLINE", "fontScale": 1.2}


class Watcher(MediaStatusListener):
    """Keeps the last status and wakes whoever waits for one that fits."""

    def __init__(self):
        self.changed = threading.Condition()
        self.last = None

    def new_media_status(self, status):
        with self.changed:
            self.last = status
            self.changed.notify_all()

    def load_media_failed(self, queue_item_id, error_code):
        say("load_failed", ok=False, error_code=error_code)

    def wait_for(self, fits, timeout=10):
        with self.changed:
            return self.changed.wait_for(lambda: self.last is not None and fits(self.last), timeout)


failed = []


def say(step, ok=True, **facts):
    """One line per step; a failed step makes the exit status 1."""
    if not ok:
        failed.append(step)
    print(json.dumps({"step": step, "ok": bool(ok), **facts}), flush=True)


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("host")
    arguments.add_argument("port", type=int)
    arguments.add_argument("--pause", type=float, default=1.0, help="seconds between the steps")
    options = arguments.parse_args()
    pause = threading.Event().wait

    info = CastInfo({HostServiceInfo(options.host, options.port)}, uuid.UUID(int=0), "Chromecast", "device",
                    options.host, options.port, "cast", "Google Inc.")
    cast = pychromecast.Chromecast(info, tries=2, timeout=10)
    try:
        cast.wait(timeout=15)
    except pychromecast.error.PyChromecastError as error:
        say("connect", ok=False, error=str(error))
        return 2
    say("connect", ok=cast.status is not None)

    media = cast.media_controller
    watcher = Watcher()
    media.register_status_listener(watcher)

    media.play_media(FILM["contentId"], FILM["contentType"], title=FILM["title"],
                     media_info={"duration": 600, "tracks": TRACKS})
    say("load", ok=watcher.wait_for(lambda s: s.player_state == "PLAYING"),
        media_session_id=media.status.media_session_id)
    pause(options.pause)

    media.pause()
    say("pause", ok=watcher.wait_for(lambda s: s.player_state == "PAUSED"))
    pause(options.pause)

    media.play()
    say("play", ok=watcher.wait_for(lambda s: s.player_state == "PLAYING"))
    pause(options.pause)

    media.seek(120)
    say("seek", ok=watcher.wait_for(lambda s: s.current_time >= 120), to_seconds=120)
    pause(options.pause)

    cast.set_volume(0.35)
    say("volume", ok=True, level=0.35)
    pause(options.pause)

    media.enable_subtitle(2)
    say("active_tracks", ok=watcher.wait_for(lambda s: s.current_subtitle_tracks == [2]), track_ids=[2])
    pause(options.pause)

    def style(step):
        done = threading.Event()
        media.send_message(
            {"type": "EDIT_TRACKS_INFO", "mediaSessionId": media.status.media_session_id, "textTrackStyle": STYLE},
            callback_function=lambda ok, answer: done.set())
        say(step, ok=done.wait(10), style=STYLE)

    style("text_style")
    pause(options.pause)
    style("text_style_again")
    pause(options.pause)

    media.stop()
    say("stop_media", ok=watcher.wait_for(lambda s: s.player_state == "IDLE"))
    pause(options.pause)

    cast.quit_app()
    say("stop_app", ok=True)
    cast.disconnect(timeout=5)
    say("disconnect", ok=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
