"""hostile.py ADDRESS: names and titles that want to be more than text, on every screen that shows them."""

import sys

from browser import Page, check, expect, path_of, same

# What only markup from a value could have made: the page itself makes none of these.
FOREIGN = "return document.querySelectorAll('img, iframe, object, embed, base, meta[http-equiv], main script, main link, main style, [onerror], [onload], [onclick]').length"


def main():
    with Page(sys.argv[1]) as page:
        items = page.ask("/now")["items"]
        wild = next((item for item in items if "<" in (item["device"] or "")), None)

        def a_wild_name_is_text_everywhere():
            expect(wild, "a device with markup in its name")
            page.run("return 1")
            for place in (
                "now",
                "timeline",
                "timeline?view=table",
                "history?period=30d",
                "moment",
                "conflicts?period=30d",
                "devices",
                "devices/" + path_of(wild["device_id"]),
                "health",
            ):
                page.open("#/" + place)
                page.wait(
                    "return document.getElementById('main').dataset.shown && !document.querySelector('#main .wait')",
                    place,
                )
                same(page.run(FOREIGN), 0, f"elements that a value made on {place}")
                if place in ("now", "devices", "timeline"):
                    expect(
                        wild["device"] in page.run("return document.body.textContent"), f"the name as text on {place}"
                    )

        def the_policy_lets_no_script_of_a_value_run():
            page.open("#/now")
            page.allowed += ["Content Security Policy"]
            blocked = page.module("""return await new Promise((done) => {
                document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
                const script = document.createElement("script"); script.textContent = "window.owned = 1"; document.body.append(script);
                setTimeout(() => done(window.owned ? "ran" : "nothing"), 2000); });""")
            expect(blocked.startswith("script-src"), f"an inline script: {blocked}")

        def links_stay_on_the_page():
            for place in ("now", "devices", "history?period=30d", "moment"):
                page.open("#/" + place)
                page.wait("return document.getElementById('main').dataset.shown", place)
                away = page.run(
                    "return [...document.querySelectorAll('a[href]')].map((one) => one.getAttribute('href')).filter((one) => !/^(#|\\/(?!\\/))/.test(one))"
                )
                same(away, [], f"links of {place}")

        def nothing_was_complained_of():
            same(page.complaints(), [], "complaints of the browser")

        check(
            a_wild_name_is_text_everywhere,
            links_stay_on_the_page,
            nothing_was_complained_of,
            the_policy_lets_no_script_of_a_value_run,
        )


main()
