"""login.py ADDRESS TOKEN: a page that asks for a token, of a person who has it and of one who has not."""

import sys
import urllib.error
import urllib.request

from browser import Page, check, expect, same

REFUSED = "401 (Unauthorized)"


def main():
    token = sys.argv[2]
    with Page(sys.argv[1]) as page:
        page.allowed.append(REFUSED)

        def asked(headers):
            """The status code of a question from outside the page."""
            request = urllib.request.Request(page.address + "api/v1/now", headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=60) as answer:
                    return answer.status
            except urllib.error.HTTPError as error:
                return error.code

        def type_token(text):
            page.run("document.querySelector('#token-dialog input').value = ''")
            page.run("document.querySelector('#token-dialog input').focus()")
            page.press(*text, "ENTER")

        def the_page_asks_and_shows_nothing_before():
            page.open("#/now")
            page.wait("return document.getElementById('token-dialog').open", "the question for the token")
            same(page.texts(".now-card"), [], "cards")
            same(asked({}), 401, "a question without it")
            same(asked({"Authorization": f"Bearer {token}"}), 200, "a question with it")
            same(asked({"Authorization": f"Bearer {token[:-1]}"}), 401, "a question with a part of it")

        def a_wrong_token_is_said_to_be_wrong():
            type_token("not-the-token-of-anybody")
            page.wait(
                "return document.getElementById('token-dialog').innerText.includes('this is not the token')", "a no"
            )
            expect(page.run("return document.getElementById('token-dialog').open"), "the question stays")

        def the_right_one_opens_it_for_good_out_of_reach_of_scripts():
            type_token(token)
            page.wait("return document.querySelector('.now-card')", "the first card")
            same(page.run("return document.cookie"), "", "what scripts see of the cookie")
            cookie = page.command("Network.getAllCookies")["cookies"][0]
            same((cookie["httpOnly"], cookie["sameSite"]), (True, "Strict"), "how the cookie is kept")
            page.open("#/history")
            page.wait("return document.querySelector('#main h1')", "another screen")
            expect(not page.run("return document.getElementById('token-dialog').open"), "it is not asked again")
            page.wait("return document.getElementById('live').dataset.condition === 'live'", "the stream")

        check(
            the_page_asks_and_shows_nothing_before,
            a_wrong_token_is_said_to_be_wrong,
            the_right_one_opens_it_for_good_out_of_reach_of_scripts,
        )


main()
