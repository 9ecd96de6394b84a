#!/usr/bin/env python3
"""Drives one device with pychromecast, as another sender would: every command it has.

usage: pychromecast_session.py HOST PORT [--pause SECONDS]

Prints one JSON object per step: {"step": ..., "ok": ...}. Exit status: 0 when every step succeeded,
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
SECOND = {
    "contentId": "https://media.example/real-senders/second.mp4",
    "contentType": "video/mp4",
    "title": "Second film from pychromecast",
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


def session(cast, media, watcher, pause):
    """Every command that pychromecast has, and by raw messages those that it has no call for, one after the other."""
    def step(name, command, fits=None, rest=pause):
        command()
        say(name, ok=fits is None or watcher.wait_for(fits))
        rest()

    def send(fields):
        """A message of the media namespace; returns when its answer has come."""
        done = threading.Event()
        media.send_message({"mediaSessionId": media.status.media_session_id, **fields},
                           callback_function=lambda ok, answer: done.set())
        if not done.wait(10):
            failed.append(fields["type"])

    def long_pause():
        """Long enough for an observer to join the app before anything plays."""
        pause()
        pause()

    step("launch", lambda: cast.start_app("CC1AD845"), rest=long_pause)
    step("load", lambda: media.play_media(
        FILM["contentId"], FILM["contentType"], title=FILM["title"], stream_type="BUFFERED",
        media_info={"duration": 600, "tracks": TRACKS}), lambda s: s.player_state == "PLAYING")
    step("pause", media.pause, lambda s: s.player_state == "PAUSED")
    step("play", media.play, lambda s: s.player_state == "PLAYING")
    step("seek", lambda: media.seek(120), lambda s: s.player_state == "PLAYING" and s.current_time >= 120)
    # Five seconds before the end: no time to rest.
    step("skip", media.skip, lambda s: s.player_state == "PLAYING" and s.current_time >= 595, rest=lambda: None)
    step("rewind", media.rewind, lambda s: s.player_state == "PLAYING" and s.current_time < 60)
    step("rate", lambda: media.set_playback_rate(1.5), lambda s: s.playback_rate == 1.5)
    step("rate_again", lambda: media.set_playback_rate(1), lambda s: s.playback_rate == 1)

    step("volume", lambda: cast.set_volume(0.3))
    step("volume_up", lambda: cast.volume_up(0.2))
    step("volume_down", lambda: cast.volume_down(0.1))
    step("mute", lambda: cast.set_volume_muted(True))
    step("unmute", lambda: cast.set_volume_muted(False))
    step("stream_volume", lambda: send({"type": "SET_VOLUME", "volume": {"level": 0.5}}),
         lambda s: s.volume_level == 0.5)
    step("stream_mute", lambda: send({"type": "SET_VOLUME", "volume": {"muted": True}}), lambda s: s.volume_muted)

    step("subtitle", lambda: media.enable_subtitle(2), lambda s: s.current_subtitle_tracks == [2])
    step("no_subtitle", media.disable_subtitle, lambda s: s.current_subtitle_tracks == [])
    step("text_style", lambda: send({"type": "EDIT_TRACKS_INFO", "textTrackStyle": STYLE}))
    step("text_style_again", lambda: send({"type": "EDIT_TRACKS_INFO", "textTrackStyle": STYLE}))

    step("enqueue", lambda: media.play_media(
        SECOND["contentId"], SECOND["contentType"], title=SECOND["title"], stream_type="BUFFERED", enqueue=True,
        media_info={"duration": 300}), lambda s: s.supports_queue_next)
    step("repeat", lambda: send({"type": "QUEUE_UPDATE", "repeatMode": "REPEAT_ALL"}))
    step("next", media.queue_next, lambda s: s.player_state == "PLAYING" and s.content_id == SECOND["contentId"])
    step("previous", media.queue_prev, lambda s: s.player_state == "PLAYING" and s.content_id == FILM["contentId"])
    step("stop_media", media.stop, lambda s: s.player_state == "IDLE")


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

    session(cast, media, watcher, lambda: pause(options.pause))

    cast.quit_app()
    say("stop_app", ok=True)
    cast.disconnect(timeout=5)
    say("disconnect", ok=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
