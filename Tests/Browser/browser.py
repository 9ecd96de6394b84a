"""Debian's chromium with the page in it, for the tests of the page: opens it, waits, reads, and asks the API beside it."""

import json
import re
import sys
import urllib.parse
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

# What a browser may complain of that is no mistake of the page: answers that are told to people anyway.
HARMLESS = ("/favicon.ico",)


class Failure(Exception):
    """Something is not as it should be."""


class Page:
    """One window on the page at an address such as http://127.0.0.1:8380/."""

    def __init__(self, address, width=1400, height=900, dark=False, zone=None):
        self.address = address.rstrip("/") + "/"
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--hide-scrollbars",
            f"--window-size={width},{height}",
        ):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_script_timeout(60)
        self.command(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        self.command(
            "Emulation.setEmulatedMedia",
            features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}],
        )
        self.zone = zone
        self.allowed = list(HARMLESS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def command(self, name, **values):
        """A command of the browser's own protocol."""
        return self.driver.execute_cdp_cmd(name, values)

    def open(self, place="#/now"):
        """Opens a view from nothing."""
        self.driver.get("about:blank")
        self.driver.get(self.address + place)

    def go(self, place):
        """Goes to a view as a link would."""
        self.run("location.hash = arguments[0]", place)

    def run(self, script, *values):
        """Runs a script in the page."""
        return self.driver.execute_script(script, *values)

    def module(self, script, *values):
        """Runs a script that may import the page's modules; it calls `done` with its answer."""
        answer = self.driver.execute_async_script(
            "const done = arguments[arguments.length - 1]; const values = [...arguments];"
            "(async () => {" + script + "})().then((it) => done({it}), (error) => done({error: String(error.stack)}));",
            *values,
        )
        if "error" in answer:
            raise Failure(answer["error"])
        return answer.get("it")

    def until(self, condition, what, seconds):
        """Waits until a condition gives something, and returns it; fails with `what` when that is not in time."""
        try:
            return WebDriverWait(self.driver, seconds, poll_frequency=0.05).until(lambda _: condition())
        except TimeoutException:
            shown = self.run("return document.getElementById('main')?.innerText ?? document.body.innerText")
            raise Failure(f"{what}: not within {seconds} s; the page shows: {shown[:1500]!r}") from None

    def wait(self, script, what, seconds=40, *values):
        """Waits until a script gives something, and returns it."""
        return self.until(lambda: self.run(script, *values), what, seconds)

    def texts(self, selector):
        """The texts of all elements that a selector finds."""
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.innerText.trim())", selector
        )

    def press(self, *keys):
        """Presses keys one after the other; "Shift+X" with Shift held."""
        chain = ActionChains(self.driver, duration=0)
        for key in keys:
            if key.startswith("Shift+"):
                chain.key_down(Keys.SHIFT).send_keys(getattr(Keys, key[6:], key[6:])).key_up(Keys.SHIFT)
            else:
                chain.send_keys(getattr(Keys, key, key))
        chain.perform()

    def focused(self):
        """What has the focus, in words."""
        return self.run(
            "const it = document.activeElement; return it.tagName + '.' + it.className + ' '"
            " + (it.getAttribute('aria-label') ?? it.innerText ?? '').slice(0, 80)"
        )

    def spoken(self):
        """What screen readers were told last."""
        return self.run("return document.getElementById('announcer').textContent")

    def complaints(self):
        """What the browser complained of since the last question: errors and refusals of the policy."""
        return [
            entry["message"]
            for entry in self.driver.get_log("browser")
            if entry["level"] == "SEVERE" and not any(one in entry["message"] for one in self.allowed)
        ]

    def ask(self, path, **parameters):
        """The API's answer, asked without the page."""
        query = urllib.parse.urlencode(
            [
                (name, one)
                for name, value in parameters.items()
                for one in (value if isinstance(value, list) else [value])
            ]
        )
        address = self.address + "api/v1" + path + ("?" + query if query else "")
        with urllib.request.urlopen(address, timeout=60) as answer:
            return json.load(answer)

    def picture(self, path):
        """Saves what is shown as a PNG."""
        self.driver.save_screenshot(path)


def expect(is_so, words):
    """Fails with words where something is not so."""
    if not is_so:
        raise Failure(words)


def same(found, wanted, what):
    """Fails where two values differ."""
    if found != wanted:
        raise Failure(f"{what}: {found!r}, not {wanted!r}")


def path_of(name):
    """A name as one step of a path."""
    return urllib.parse.quote(name, safe="")


def number(text):
    """The first number of a text: "1,240 plays so far" is 1240."""
    match = re.search(r"-?[\d,]*\.?\d+", text)
    expect(match, f"no number in {text!r}")
    return float(match.group().replace(",", ""))


def check(*parts):
    """Runs checks; prints a line for each, and ends with 1 when one fails."""
    failed = 0
    for part in parts:
        try:
            part()
            print(f"ok {part.__name__}", flush=True)
        except Exception as error:  # Whatever it is, the others are still worth knowing.
            failed += 1
            print(f"FAILED {part.__name__}: {type(error).__name__}: {error}", flush=True)
    sys.exit(1 if failed else 0)
