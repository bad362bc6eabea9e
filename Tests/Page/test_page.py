"""The page as a whole: signing in, languages, sizes, accessibility, and names that try to be markup."""

import re

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from conftest import HOME, Gate, visit, wait_for_worker
from daemon import circle, there_and_away, walk

VIEWS = ["now", "map", "fences", "record"]
MARKUP = '<img src=x onerror="window.caught=1"><script>window.caught=1</script>'
PHONE, DESKTOP = {"width": 320, "height": 568}, {"width": 1280, "height": 800}


def fill(daemon, device="anna", name="Home"):
    daemon.set_fences(
        circle("home", **HOME, name=name, hysteresisMargin=20),
        {
            "type": "Feature", "id": "park", "properties": {"name": name + " park"},
            "geometry": {"type": "Polygon", "coordinates": [
                [[13.408, 52.521], [13.412, 52.521], [13.412, 52.5235], [13.408, 52.523], [13.408, 52.521]]]},
        })
    daemon.send_fixes(device, there_and_away(**HOME))


def visit_filled(page, view):
    visit(page, view)
    if view == "map":
        expect(page.locator("#map [role=status]")).not_to_be_empty()
    if view == "record":
        expect(page.locator("#record li.new")).to_have_count(1)


def serious(page):
    """Returns the serious findings of axe: their names, and where they are."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return page.evaluate("""async () => {
      const { violations } = await axe.run({ resultTypes: ["violations"] });
      return violations.filter(({ impact }) => ["serious", "critical"].includes(impact))
        .map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ target }) => target)]);
    }""")


def test_wrong_token_is_refused(browser, daemon):
    page = browser.open("none")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_have_text("Paste the token first.")
    page.locator("input[name=token]").fill("wht_wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("does not know this token")
    expect(page.locator("input[name=token]")).to_be_focused()


def test_line_beside_the_map_is_that_of_the_views_alone(browser, daemon):
    width = "element => getComputedStyle(element).borderRightWidth"
    page = browser.open("none")
    expect(page.locator("main.signin")).to_be_visible()
    assert page.locator("main").evaluate(width) == "0px"
    page.locator("input[name=token]").fill(daemon.token)
    page.locator("input[name=token]").press("Enter")
    page.locator("#source").wait_for()
    assert page.locator("main").evaluate(width) == "1px"


def test_token_of_a_link_leaves_the_address_and_needs_consent(browser, daemon):
    page = browser.open("none", path=f"/#token={daemon.token}")
    # A token that may do more than show a location needs the form for signing in.
    page.get_by_role("button", name="Show").click()
    expect(page.locator("input[name=token]")).to_have_value(daemon.token)
    assert daemon.token not in page.url
    assert page.evaluate("sessionStorage.length + localStorage.length") == 0
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#source")).to_be_visible()
    page.go_back()
    assert daemon.token not in page.url


def test_token_is_kept_as_the_person_wishes(browser, daemon):
    context = browser.context()
    browser.open(context=context)
    page = browser.open("none", context=context)
    page.get_by_label("Keep me signed in").check()
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.locator("#source").wait_for()
    page = browser.open("none", context=context)
    expect(page.locator("#source")).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert daemon.token not in page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}])")


def test_revoked_token_leads_to_signing_in(browser, daemon):
    fill(daemon)
    secret = daemon.create_token("--device", "anna", "--read", "--label", "kin")
    page = browser.open(secret)
    for view in VIEWS:
        visit_filled(page, view)
    daemon.revoke_token(secret, number=2)
    page.reload()
    expect(page.get_by_text("The server no longer takes the token.")).to_be_visible()


def test_token_that_ends_during_a_drawing_or_in_a_form_leads_to_signing_in(browser, daemon):
    fill(daemon)
    for number, drawing in [(2, True), (3, False)]:
        secret = daemon.create_token("--admin")
        page = browser.open(secret, viewport={"width": 390, "height": 844})
        page.locator("#source").select_option("anna")
        visit(page, "fences")
        page.get_by_role("button", name="Draw").click()
        if drawing:
            page.get_by_role("button", name="Circle").click()
            expect(page.get_by_role("button", name="Done")).to_be_visible()
        daemon.revoke_token(secret, number)
        page.evaluate("import('/page/api.js').then(({ api }) => api.fences()).catch(() => {})")
        expect(page.get_by_text("The server no longer takes the token.")).to_be_in_viewport()
        expect(page.get_by_role("dialog")).to_be_hidden()
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_text("Paste the token first.")).to_be_visible()


@pytest.mark.parametrize("locale,texts", [
    ("en-GB", ["Here and now", "Map", "Fences", "Record", "Left: Home"]),
    ("de-AT", ["Hier und jetzt", "Karte", "Zäune", "Verlauf", "Verlassen: Home"]),
    ("fr-FR", ["Here and now", "Map", "Fences", "Record", "Left: Home"]),
])
def test_language_is_that_of_the_browser(browser, daemon, locale, texts):
    fill(daemon)
    page = browser.open(locale=locale)
    page.locator("#source").select_option("anna")
    for view, text in zip(VIEWS, texts):
        visit_filled(page, view)
        expect(page.locator(f"#{view} h1")).to_have_text(text)
    expect(page.locator("#record li.new")).to_contain_text(texts[4])
    assert page.locator("html").get_attribute("lang") == ("de" if locale == "de-AT" else "en")


def test_languages_have_the_same_texts(browser):
    page = browser.open()
    english, german = page.evaluate(
        "() => Promise.all(['en', 'de'].map(async (tag) => (await import(`/page/strings-${tag}.js`)).default))")
    assert sorted(english) == sorted(german)
    for key, text in english.items():
        places = [sorted(part.split("}")[0] for part in words.split("{")[1:]) for words in (text, german[key])]
        assert places[0] == places[1], key
    # Every text that the code names exists.
    named = page.evaluate("""async () => {
      const files = performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => name.endsWith(".js"));
      const texts = await Promise.all(files.map(async (file) => (await fetch(file)).text()));
      return texts.flatMap((text) => [...text.matchAll(/\\bt\\("([a-zA-Z.]+)"/g)].map((match) => match[1]));
    }""")
    assert len(named) > 60
    assert [key for key in named if key not in english and f"{key}.one" not in english] == []
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("dialog").get_by_label("Language").select_option("Deutsch")
    expect(page.locator("#now h1")).to_have_text("Hier und jetzt")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_views_are_accessible_and_fit(browser, daemon, scheme, size, shots):
    fill(daemon, name="Grandmother's house by the river")
    page = browser.open("none", viewport=size, color_scheme=scheme)
    assert serious(page) == []
    shots(page, "signin")
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Device", exact=True).select_option("anna")
    for view in VIEWS:
        visit_filled(page, view)
        assert serious(page) == [], view
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{view} is too wide"
        small = page.evaluate("""() => [...document.querySelectorAll("button, select, a, input, summary")]
          .filter((element) => element.checkVisibility() && !element.matches(".skip"))
          .map((element) => [element.textContent || element.type, element.getBoundingClientRect()])
          .filter(([_, box]) => box.width < 24 || box.height < 24).map(([name]) => name)""")
        assert small == [], view
        shots(page, view)
    visit(page, "fences")
    page.get_by_role("button", name="Fence here").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert serious(page) == []
    shots(page, "here")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(dialog).to_be_visible()
    assert serious(page) == []
    brightness = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]")
    assert (brightness < 64) == (scheme == "dark")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_statuses_are_there_before_their_texts(browser, daemon, size):
    """Of one that appears with its text, a screen reader may miss it. Without a text it takes no room."""
    fill(daemon)
    page = browser.open(viewport=size)
    page.locator("#source").select_option("anna")

    def empty_ones(container):
        ones = page.locator(container).locator("[role=status], [role=alert]").evaluate_all("""(all) => all
          .filter((element) => element.textContent === "" && element.parentElement.checkVisibility())
          .map((element) => [element.outerHTML, element.checkVisibility(), element.getBoundingClientRect().height])""")
        assert [one for one in ones if one[1:] != [True, 0]] == []
        return len(ones)

    assert empty_ones("#app") > 0
    for view in ["fences", "record"]:
        visit_filled(page, view)
        assert empty_ones(f"#{view}") > 0, view
    visit(page, "fences")
    page.get_by_role("button", name="Edit Home", exact=True).click()
    assert empty_ones("dialog") == 2


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_long_name_of_a_device_fits_a_phone(browser, daemon, locale):
    name = "annas-phone-with-a-long-name-0123456789x"
    daemon.send_fixes(name, there_and_away(**HOME))
    token = daemon.create_token("--device", name, "--read", "--write")
    page = browser.open(token, viewport={"width": 390, "height": 844}, locale=locale, is_mobile=True)
    for view in VIEWS:
        visit(page, view)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, view


def test_names_are_never_markup(browser, daemon):
    fill(daemon, device=MARKUP, name=MARKUP)
    secret = daemon.create_token("--admin", "--label", MARKUP[:90])
    page = browser.open(secret)
    page.get_by_label("Device", exact=True).select_option(MARKUP)
    for view in VIEWS:
        visit_filled(page, view)
    visit(page, "fences")
    page.locator("#fences li").first.get_by_role("button", name="Why").click()
    expect(page.get_by_role("dialog")).to_contain_text("<img")
    page.keyboard.press("Escape")
    page.locator("#fences li").first.get_by_role("button", name="on the map").click()
    expect(page.locator(".info")).to_contain_text("<img")
    page.locator("#fences li").first.get_by_role("button").last.click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    # The question, which comes after the form.
    expect(page.get_by_role("button", name="Keep")).to_be_visible()
    expect(page.get_by_role("dialog")).to_contain_text("<img")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_contain_text("<img")
    assert page.evaluate("window.caught") is None
    assert page.locator('img[src="x"], script:not([src])').count() == 0


def test_page_can_be_installed_and_stores_no_places(browser, daemon):
    fill(daemon)
    page = browser.open(service_workers="allow")
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "record")
    wait_for_worker(page)
    paths = page.evaluate("""async () => {
      const cache = await caches.open((await caches.keys())[0]);
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    }""")
    assert "/" in paths and "/page/leaflet.js" in paths
    assert [path for path in paths if path != "/" and not path.startswith("/page/")] == []
    manifest = page.evaluate("fetch('/page/manifest.webmanifest').then((response) => response.json())")
    assert manifest["start_url"] == "/" and manifest["display"] == "standalone" and manifest["icons"]


def test_map_is_of_the_version_of_its_page(browser):
    """A browser takes over the files of a new version while a page of the old one is open."""
    page = browser.open(viewport={"width": 390, "height": 844}, service_workers="allow")
    wait_for_worker(page)
    page.wait_for_function("""() => ["map", "leaflet", "sketch"].every(
      (name) => performance.getEntriesByName(`${location.origin}/page/${name}.js`).length > 0)""")
    page.evaluate("""async () => {
      const cache = await caches.open((await caches.keys())[0]);
      const script = new Blob(['import { ofAnotherVersion } from "./dom.js";'], { type: "text/javascript" });
      for (const name of ["map", "sketch"]) await cache.put(`/page/${name}.js`, new Response(script));
    }""")
    visit(page, "map")
    expect(page.locator(".leaflet-pane").first).to_be_attached()


def test_link_that_comes_to_an_open_page_is_opened(browser, daemon):
    fill(daemon)
    secret = daemon.create_token("--device", "anna", "--read")
    page = browser.open(viewport={"width": 390, "height": 844})
    page.get_by_role("button", name="Settings").click()
    page.evaluate(f"location.hash = '#token={secret}'")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#map")).to_be_visible()
    assert secret not in page.url


def test_signing_out_needs_no_storage_of_positions(browser, daemon):
    page = browser.open("none")
    page.get_by_label("Keep me signed in").check()
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.locator("#source").wait_for()
    # As where a browser's database is damaged.
    page.evaluate("""() => {
      IDBObjectStore.prototype.clear = () => { throw new DOMException("damaged", "UnknownError"); };
    }""")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.includes('token'))") == []


def test_signing_out_in_one_tab_ends_the_others(browser, daemon):
    fill(daemon)
    context = browser.context()
    first = browser.open("none", context=context)
    first.get_by_label("Keep me signed in").check()
    first.locator("input[name=token]").fill(daemon.token)
    first.get_by_role("button", name="Sign in").click()
    first.locator("#source").wait_for()
    second = browser.open("none", context=context)
    second.locator("#source").wait_for()
    guest = context.new_page()
    guest.goto(f"{daemon.url}/#token={daemon.create_token('--device', 'anna', '--read')}")
    guest.get_by_role("button", name="Show").click()
    guest.locator("#source").wait_for()
    first.get_by_role("button", name="Settings").click()
    first.get_by_role("button", name="Sign out").click()
    expect(second.get_by_role("button", name="Sign in")).to_be_visible()
    # A tab with a token of its own stays.
    expect(guest.locator("#source")).to_be_visible()


@pytest.mark.parametrize("width,height", [(320, 256), (640, 360)], ids=["zoom", "landscape"])
def test_low_screens_show_the_views(browser, daemon, width, height, shots):
    """A desktop at 400 % zoom, and a phone on its side."""
    fill(daemon, name="Grandmother's house by the river")
    page = browser.open(viewport={"width": width, "height": height})
    page.locator("#source").select_option("anna")
    for view in VIEWS:
        visit_filled(page, view)
        assert page.evaluate("document.querySelector('main').scrollHeight <= document.querySelector('main').clientHeight + 1"), view
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), view
        expect(page.locator("nav")).to_be_in_viewport(ratio=1)
        shots(page, view)
        if view == "map":
            page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
            assert page.locator(".map-canvas").bounding_box()["height"] >= 150
    # A new view begins at its top.
    assert page.evaluate("document.documentElement.scrollTop") == 0


def test_link_in_a_text_may_have_a_full_stop(browser, daemon):
    fill(daemon)
    secret = daemon.create_token("--device", "anna", "--read")
    page = browser.open("none", path=f"/#token={secret}.")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#source")).to_be_visible()
    assert secret not in page.url


def test_name_written_from_the_right_leaves_the_time_in_order(browser, daemon):
    fill(daemon, name="بيت العائلة")
    page = browser.open()
    page.locator("#source").select_option("anna")
    news = page.locator(".news span")
    expect(news).to_contain_text("±")
    lefts = page.evaluate("""() => [/بيت/, /\\d\\d:\\d\\d/, /±/].map((pattern) => {
      const text = document.querySelector(".news span").firstChild, range = new Range();
      const [part] = text.data.match(pattern), index = text.data.indexOf(part);
      range.setStart(text, index);
      range.setEnd(text, index + part.length);
      return range.getBoundingClientRect().left;
    })""")
    assert lefts == sorted(lefts)


def test_page_opens_in_a_network_that_answers_nothing(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    context = browser.context(service_workers="block")
    page = context.new_page()
    page.goto(daemon.url)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_label("Keep me signed in").check()
    page.get_by_role("button", name="Sign in").click()
    page.locator("#source").wait_for()
    page.route(re.compile("/api/"), lambda route: None)
    page.reload()
    expect(page.locator("#source")).to_be_visible()
    expect(page.get_by_role("button", name="Start")).to_be_enabled()


def test_large_text_fits_a_phone(browser, daemon):
    fill(daemon)
    page = browser.open(viewport={"width": 360, "height": 720}, locale="de-DE")
    page.locator("#source").select_option("anna")
    page.evaluate("document.documentElement.style.fontSize = '200%'; 0")
    # The link for the keyboard covers nothing until it has the focus.
    expect(page.locator(".skip")).not_to_be_in_viewport()
    for view in VIEWS:
        visit_filled(page, view)
        if view == "record":
            expect(page.locator("#record .days .title-row button")).to_be_visible()
        # The name of a day may be a long word, with a button beside it.
        outside = page.evaluate("""() => [...document.querySelectorAll("#record .days h3")]
          .forEach((name) => { name.textContent = "Donnerstag, 24. September" }) || [...document.querySelectorAll("nav a, main button, main input, main select")]
          .filter((element) => element.offsetParent && element.getBoundingClientRect().right > innerWidth + 1)
          .map((element) => element.textContent)""")
        assert outside == [], view


def test_choice_that_is_open_keeps_its_options(browser, daemon):
    """A list that is replaced under a finger leads to another choice."""
    fill(daemon)
    daemon.create_token("--device", "anna", "--read", "--label", "Kin")
    page = browser.open(viewport={"width": 390, "height": 844})
    page.locator("#source").select_option("anna")
    visit_filled(page, "map")
    selects = page.locator("#source, #map select")
    expect(selects).to_have_count(3)
    expect(page.get_by_label("Seen by")).to_be_visible()
    page.evaluate("window.options_ = [...document.querySelectorAll('#source option, #map option')]; 0")
    visit(page, "now")
    with page.expect_response("**/devices/anna/trips"), page.expect_response("**/devices/anna/readers"):
        visit(page, "map")
    page.wait_for_timeout(500)
    assert page.evaluate("window.options_.every((option) => option.isConnected)")
    daemon.send_fixes("berta", walk(**HOME, distances=[0]))
    visit(page, "now")
    expect(page.locator("#source option")).to_have_count(3)
    expect(page.locator("#source")).to_have_value("anna")


def test_signing_in_again_has_room_after_another_address(browser, daemon):
    page = browser.open(viewport={"width": 390, "height": 844}, service_workers="block")
    for view in ["map", "fences"]:
        visit(page, view)
    page.route("**/api/**", lambda route: route.fulfill(status=401, body="{}"))
    page.evaluate("import('/page/api.js').then(({ api }) => api.fences()).catch(() => {})")
    expect(page.get_by_text("The server no longer takes the token.")).to_be_visible()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.evaluate("history.back()")
    page.wait_for_function("() => location.hash === '#map'")
    page.wait_for_timeout(300)
    assert page.evaluate("document.body.dataset.view") is None
    # The token has ended: nothing is asked for with it, also later.
    page.wait_for_timeout(6_000)
    assert [url for url in asked if "/api/" in url] == []


@pytest.mark.parametrize("path", ["/", "/#token=wht_wrong"], ids=["form", "invitation"])
def test_second_press_of_a_button_does_not_meet_the_languages(browser, path):
    """The text of the problem goes while the server is asked again, and its room stays."""
    page = browser.open("none", path=path, viewport={"width": 320, "height": 800})
    submit, german = page.locator("form button[type=submit]"), page.get_by_role("button", name="Deutsch")
    if path == "/":
        page.locator("input[name=token]").fill("wht_wrong")
    submit.click()
    problem = page.get_by_role("alert")
    expect(problem).not_to_be_empty()
    expect(submit).to_be_enabled()
    gate = Gate(page, "**/api/v1/token")
    boxes = [submit.bounding_box(), german.bounding_box()]
    page.mouse.click(boxes[1]["x"] + 10, boxes[0]["y"] + boxes[0]["height"] - 4)
    gate.wait()
    assert [submit.bounding_box(), german.bounding_box()] == boxes
    expect(problem).to_be_empty()
    gate.open()
    expect(problem).not_to_be_empty()


def test_focus_is_on_the_view_after_signing_in(browser, daemon):
    """A screen reader begins there, and not at the top of the page."""
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open()
    expect(page.locator("#now h1")).to_be_focused()
    page = browser.open("none", path=f"/#token={daemon.create_token('--device', 'anna', '--read')}")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#map h1")).to_be_focused()
    # A page that is loaded again begins at its top.
    page.reload()
    page.locator("#source").wait_for()
    expect(page.locator("#map h1")).not_to_be_focused()


def test_german_durations_are_in_the_case_of_their_texts(browser):
    texts = browser.open(locale="de-DE").evaluate("""async () => {
      const { age, duration } = await import("/page/format.js");
      const { termsInWords } = await import("/page/terms.js"), days = 3 * 86_400;
      return [duration(7 * 86_400), age(days), age(300), ...termsInWords({ enterDwell: days, exitDwell: days })];
    }""")
    assert texts == [
        "7 Tage", "3 Tage alt", "5 min alt", "Ankunft: mindestens 3 Tage innen", "Verlassen: mindestens 3 Tage außen"]


def test_tabs_do_not_cover_what_has_the_focus(browser, daemon):
    """On a desktop at 400 % zoom the page scrolls above the tabs."""
    fill(daemon)
    page = browser.open(viewport={"width": 320, "height": 256})
    page.locator("#source").select_option("anna")
    for view in VIEWS:
        visit_filled(page, view)
        page.evaluate("document.querySelector('main h1').focus(); scrollTo(0, 0)")
        covered = set()
        for _ in range(40):
            page.keyboard.press("Tab")
            covered.add(page.evaluate("""() => {
              const focused = document.activeElement, { top, height } = focused.getBoundingClientRect();
              const isCovered = focused.closest("main") && top + height / 2 > document.querySelector("nav").getBoundingClientRect().top;
              return isCovered ? focused.getAttribute("aria-label") ?? focused.textContent : null;
            }"""))
        assert covered == {None}, view



def test_button_that_is_pressed_while_answers_come_gets_its_click(browser, daemon):
    """What comes with them moves the buttons below it, and replaces those of lists."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open()
    dialog = page.get_by_role("dialog")

    def press_while_coming(gate, button, answer):
        gate.wait()
        button.hover()
        page.mouse.down()
        with page.expect_response(answer):
            gate.open()
        page.wait_for_timeout(300)
        page.mouse.up()
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)

    gate = Gate(page, "**/devices/anna/crossings?*")
    page.locator("#source").select_option("anna")
    press_while_coming(gate, page.get_by_role("button", name="Show to others"), "**/devices/anna/crossings?*")
    expect(page.locator(".news")).to_be_visible()
    gate = Gate(page, "**/api/v1/devices")
    visit(page, "record")
    press_while_coming(gate, page.locator("#record li.new").get_by_role("button", name="Why"), "**/api/v1/devices")
    visit(page, "fences")
    page.get_by_role("button", name="Draw").hover()
    page.mouse.down()
    daemon.kill()
    page.wait_for_timeout(500)
    page.mouse.up()
    expect(dialog).to_be_visible()
    expect(page.locator(".connection")).to_contain_text("No connection")


@pytest.mark.parametrize("is_link", [False, True], ids=["form", "invitation"])
def test_second_press_of_a_button_does_not_meet_the_view(browser, daemon, is_link):
    fill(daemon)
    token = daemon.create_token("--device", "anna", "--read") if is_link else daemon.token
    page = browser.context(viewport={"width": 390, "height": 700}).new_page()
    # The time of the page passes in the test alone.
    page.clock.install()
    page.goto(daemon.url + (f"/#token={token}" if is_link else ""))
    if not is_link:
        page.locator("input[name=token]").fill(token)
    box = page.locator("form button[type=submit]").bounding_box()
    page.evaluate("""() => addEventListener("click", ({ target }) => {
      window.pressed = target.closest("button, input, label, a, .map-canvas") != null;
    })""")
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*place)
    page.locator("#source").wait_for()
    page.evaluate("window.pressed = null")
    page.mouse.click(*place)
    assert page.evaluate("window.pressed") is None
    page.clock.run_for(1_000)
    page.mouse.click(*place)
    assert page.evaluate("window.pressed") is not None
