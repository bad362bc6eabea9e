"""Each dialog and view with much in it: on narrow phones, in the dark, in both languages."""

import json
import time

import pytest
from playwright.sync_api import expect

from conftest import HOME, visit, wait_on
from daemon import circle, there_and_away, walk
from test_page import MARKUP, serious

LONG = "Grandmother's house by the river, second floor"
TEXTS = {
    "en": {
        "share": "Show to others", "make": "Make a link", "close": "Close", "alerts": "Alerts", "why": "Why?",
        "name": "Name", "edit": "Edit", "trial": "Try on the last week", "draw": "Draw", "cancel": "Cancel",
        "settings": "Settings", "end": "End the link", "remove": "Remove", "keep": "Keep",
    },
    "de": {
        "share": "Anderen zeigen", "make": "Link erstellen", "close": "Schließen", "alerts": "Meldungen", "why": "Warum?",
        "name": "Benennen", "edit": "Bearbeiten", "trial": "An der letzten Woche prüfen", "draw": "Zeichnen",
        "cancel": "Abbrechen", "settings": "Einstellungen", "end": "Den Link beenden", "remove": "Entfernen", "keep": "Behalten",
    },
}


def fill(daemon, tmp_path):
    alerts = tmp_path / "alerts.json"
    alerts.write_text(json.dumps({
        "channels": {"the long name of a channel": {"command": ["/bin/false"]}},
        "alerts": [
            {"name": LONG, "fences": ["home"], "events": ["exit"], "channels": ["the long name of a channel"]},
            {"name": "in", "fences": ["hme"], "events": ["enter"], "channels": ["the long name of a channel"]},
        ],
    }))
    daemon.set_fences(circle("home", **HOME, name=LONG), circle("park", HOME["latitude"] + 0.01, HOME["longitude"], name="Park"))
    daemon.stop()
    daemon.start(daemon.port, "--alerts", str(alerts))
    noon = time.time() // 86_400 * 86_400 - 43_200
    daemon.send_fixes("anna", walk(
        **HOME, distances=[0] * 60 + [20 * step for step in range(41)] + [800] * 60, end=noon))
    daemon.send_fixes("anna", there_and_away(**HOME))
    daemon.create_token("--device", "anna", "--read", "--accuracy-cap", "500m", "--label", LONG)


def check(page, shots, name):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} is too wide"
    dialog = page.locator("dialog")
    if dialog.count() > 0:
        assert dialog.last.evaluate("(dialog) => dialog.scrollWidth <= dialog.clientWidth"), f"{name} is too wide"
    assert serious(page) == [], name
    shots(page, name)
    bottom = dialog.last if dialog.count() > 0 else page.locator("main")
    if bottom.evaluate("(element) => element.scrollHeight > element.clientHeight + 40"):
        bottom.evaluate("(element) => element.scrollTo(0, element.scrollHeight)")
        shots(page, f"{name}-end")


def leave(page):
    """Closes the dialog by a key, and waits until it is gone."""
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390, 1280])
@pytest.mark.parametrize("language,scheme", [("de", "dark"), ("en", "light")])
def test_dialogs_fit_and_are_accessible(browser, daemon, shots, tmp_path, width, language, scheme):
    fill(daemon, tmp_path)
    text = TEXTS[language]
    page = browser.open(
        "none", viewport={"width": width, "height": 640 if width < 1000 else 800}, color_scheme=scheme,
        locale={"de": "de-DE", "en": "en-GB"}[language])
    page.locator("input[name=token]").fill(daemon.token)
    page.locator("input[name=token]").press("Enter")
    page.locator("#source").select_option("anna")
    dialog = page.get_by_role("dialog")
    # The links.
    page.get_by_role("button", name=text["share"]).click()
    dialog.locator("input").first.fill(LONG)
    dialog.locator("select").nth(1).select_option("home")
    dialog.get_by_role("button", name=text["make"]).click()
    expect(dialog.locator(".links li")).to_contain_text(LONG)
    check(page, shots, "links")
    dialog.get_by_role("button", name=text["close"]).click()
    expect(page.locator("dialog")).to_have_count(0)
    page.locator("header button").click()
    check(page, shots, "settings")
    leave(page)
    # The fences.
    visit(page, "fences")
    expect(page.locator("#fences li").first).to_be_visible()
    check(page, shots, "fences")
    page.locator("#fences li").first.get_by_role("button", name=text["edit"]).click()
    dialog.get_by_role("button", name=text["trial"]).click()
    expect(dialog.locator(".trial li").first).to_be_visible()
    check(page, shots, "fence")
    dialog.get_by_role("button", name=text["remove"]).click()
    # The question, which comes after the form.
    expect(dialog.get_by_role("button", name=text["keep"])).to_be_visible()
    check(page, shots, "remove")
    leave(page)
    page.get_by_role("button", name=text["draw"]).click()
    check(page, shots, "draw")
    dialog.get_by_role("button").nth(1).click()
    expect(page.locator(".toolbar")).to_be_visible()
    check(page, shots, "sketch")
    if width < 1000:
        # The cross is in the middle of the map, and nothing lies over it.
        covers = page.evaluate("""() => {
          const map = document.querySelector(".map-canvas"), { left, top, width, height } = map.getBoundingClientRect();
          return !map.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        }""")
        assert not covers
    page.locator(".toolbar").get_by_role("button", name=text["cancel"]).click()
    # The record.
    visit(page, "record")
    expect(page.locator("#record li[data-type=visit]").first).to_be_visible()
    check(page, shots, "record")
    page.locator("#record").get_by_role("button", name=text["alerts"]).click()
    expect(dialog.locator("li").first).to_be_visible()

    def read_again():
        if dialog.locator("li").count() < 3:
            dialog.get_by_role("button").first.click()
        return dialog.locator("li").count() >= 3

    # The daemon decides and delivers by itself.
    wait_on(page, read_again)
    check(page, shots, "alerts")
    leave(page)
    page.locator("#record li[data-event]").first.get_by_role("button", name=text["why"].rstrip("?")).click()
    expect(dialog.locator("dd").first).not_to_be_empty()
    check(page, shots, "why")
    leave(page)
    page.locator("#record li[data-type=visit]").first.get_by_role("button").first.click()
    check(page, shots, "name")
    leave(page)
    # The map as another reader sees it.
    visit(page, "map")
    reader = page.locator("#map select").nth(1)
    expect(reader).to_be_visible()
    page.locator("#map select").first.select_option(index=1)
    reader.select_option(index=1)
    expect(page.locator("#map [role=status]")).to_contain_text(LONG)
    page.locator("#map summary").click()
    check(page, shots, "map")
    # However much stands above it, the map keeps some room, and its buttons stay in it.
    boxes = [page.locator(part).bounding_box() for part in (".map-pane", "nav", ".map-buttons")]
    assert boxes[0]["height"] >= 90, boxes
    overflow = page.evaluate("getComputedStyle(document.querySelector('.map-pane')).overflow")
    assert overflow == "hidden"


def test_names_in_dialogs_are_never_markup(browser, daemon, tmp_path):
    """What a person can type beside fences and devices: links, places, channels, alerts, readers, and the attribution."""
    alerts = tmp_path / "alerts.json"
    alerts.write_text(json.dumps({
        "channels": {MARKUP: {"command": ["/bin/true", MARKUP]}},
        "alerts": [{"name": MARKUP, "fences": ["home", MARKUP], "events": ["exit"], "channels": [MARKUP]}],
    }))
    daemon.set_fences(circle("home", **HOME, name=MARKUP))
    daemon.stop()
    daemon.start(daemon.port, "--alerts", str(alerts))
    daemon.send_fixes("anna", walk(**HOME, distances=[0] * 60 + [20 * step for step in range(41)] + [800] * 60))
    daemon.create_token("--device", "anna", "--read", "--label", MARKUP[:90])
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Show to others").click()
    dialog.get_by_label("For whom").fill(MARKUP[:50])
    dialog.get_by_role("button", name="Make a link").click()
    expect(dialog.locator(".links li")).to_contain_text("<img")
    address = dialog.get_by_label("Link", exact=True).input_value()
    visitor = browser.context(user_agent=f"Mozilla {MARKUP}").new_page()
    visitor.goto(address)
    visitor.locator("form button[type=submit]").click()
    visitor.locator("#source").wait_for()
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Show to others").click()
    expect(dialog.locator(".looks li").first).to_contain_text("<img")
    page.keyboard.press("Escape")
    visit(page, "record")
    page.locator("#record li[data-type=visit]").first.get_by_role("button", name="Name the place").click()
    dialog.get_by_label("Name of the place").fill(MARKUP)
    page.keyboard.press("Enter")
    expect(page.locator("#record li[data-type=visit]").first).to_contain_text("<img")
    page.locator("#record li[data-type=visit]").first.get_by_role("button", name="on the map").click()
    expect(page.locator(".info")).to_contain_text("<img")
    page.get_by_role("button", name="Alerts").click()
    expect(dialog.locator("li").last).to_contain_text("<img")
    expect(dialog).to_contain_text("which does not exist")
    page.keyboard.press("Escape")
    visit(page, "map")
    page.locator("#map").get_by_label("Day").select_option(index=1)
    page.get_by_label("Seen by").select_option(index=1)
    expect(page.locator("#map .hint[role=status]")).to_contain_text("<img")
    for shown in (page, visitor):
        assert shown.evaluate("window.caught") is None
        assert shown.locator('img[src="x"], script:not([src])').count() == 0
