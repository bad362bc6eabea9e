"""The record: crossings that outlive reloads and kills, and days."""

import time

from playwright.sync_api import expect

from conftest import HOME
from daemon import METRES, circle, there_and_away, walk


def open_record(page, device="anna"):
    page.get_by_label("Device", exact=True).select_option(device)
    page.get_by_role("link", name="Record").click()


def new_marks(page):
    return page.locator("#record li.new")


def test_exit_from_a_fence_made_here_is_recorded_and_stays_new(browser, daemon, shots):
    """The whole way with this phone as the source: start, found, fence here, exit, reload."""
    context = browser.context(geolocation={**HOME, "accuracy": 5})
    page = browser.open(context=context)
    page.locator("#now").get_by_label("Name of this phone").fill("berta")
    page.keyboard.press("Tab")
    page.get_by_label("Keep following").check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .status")).to_have_text("Found")
    page.locator("#now").get_by_role("button", name="Fence here").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Radius", exact=True)).to_have_value("50")
    dialog.get_by_label("Name").fill("The bench")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences li")).to_contain_text("The bench")
    feature = daemon.features()[0]
    assert feature["properties"]["radius"] == 50 and feature["properties"]["once"] is True
    north = 0
    while not page.locator(".news").is_visible():
        # At 20 m/s, as fast as a car.
        north += 10
        assert north < 2000, "no exit was recorded"
        context.set_geolocation({**HOME, "latitude": HOME["latitude"] + north * METRES, "accuracy": 5})
        page.wait_for_timeout(500)
    expect(page.locator(".news")).to_contain_text("1 new crossing: Left: The bench")
    shots(page, "news")
    page.get_by_role("link", name="Record").first.click()
    expect(new_marks(page)).to_have_count(1)
    expect(new_marks(page)).to_contain_text("± ")
    page.reload()
    page.locator("#source").wait_for()
    expect(new_marks(page)).to_have_count(1)
    # The fence has ended with its event, and the record still knows its name.
    assert daemon.features() == []
    expect(new_marks(page)).to_contain_text("Left: The bench")


def test_crossing_survives_a_kill_and_is_new_until_seen(browser, daemon, shots):
    daemon.set_fences(circle("home", HOME["latitude"], HOME["longitude"], name="Home"))
    end = time.time() - 1200
    daemon.send_fixes("anna", there_and_away(**HOME, end=end)[:12])
    page = browser.open()
    open_record(page)
    expect(page.get_by_text("No crossings yet.")).to_be_visible()
    # Where the page can't hear of it: acknowledged, and killed at once.
    daemon.kill()
    address = daemon.port
    daemon.start(port=0)
    daemon.send_fixes("anna", there_and_away(**HOME, end=end)[12:])
    daemon.kill()
    expect(page.locator(".connection")).to_contain_text("No connection")
    expect(new_marks(page)).to_have_count(0)
    # The page that is still open gets the crossing from the next process.
    daemon.start(port=address)
    expect(new_marks(page)).to_have_count(1, timeout=60_000)
    expect(new_marks(page)).to_contain_text("Left: Home")
    shots(page, "record")
    page.reload()
    expect(new_marks(page)).to_have_count(1)
    page.get_by_role("button", name="Mark all as seen").click()
    expect(new_marks(page)).to_have_count(0)
    expect(page.locator("#record li[data-event=exit]")).to_have_count(1)
    daemon.kill()
    daemon.start(port=address)
    page.reload()
    expect(page.locator("#record li[data-event=exit]")).to_contain_text("Left: Home")
    expect(new_marks(page)).to_have_count(0)


def test_older_crossings_are_read_on_demand(browser, daemon):
    daemon.set_fences(circle("home", HOME["latitude"], HOME["longitude"]))
    fixes = []
    for round in range(60):
        fixes += there_and_away(**HOME, end=time.time() - 400 * (60 - round))
    daemon.send_fixes("anna", fixes)
    known = len(daemon.get("/api/v1/devices/anna/crossings")["crossings"])
    assert known > 100
    page = browser.open()
    open_record(page)
    entries = page.locator("#record li[data-event]")
    expect(entries).to_have_count(100)
    page.get_by_role("button", name="Show older ones").click()
    expect(entries).to_have_count(known)
    expect(page.get_by_role("button", name="Show older ones")).to_be_hidden()


def test_days_show_distances_with_their_error_and_their_track(browser, daemon, shots):
    # Noon of a past day in most time zones: one day, and one trip.
    daemon.send_fixes("anna", there_and_away(**HOME, end=time.time() // 86_400 * 86_400 - 43_200))
    page = browser.open()
    open_record(page)
    day = page.locator("#record .days section").last
    expect(day).to_contain_text("±")
    day.get_by_role("button", name="on the map").first.click()
    page.get_by_role("link", name="Map").click()
    expect(page.locator("#map")).to_contain_text("36 points, 0 gaps")
    shots(page, "track")


def test_a_crossing_and_a_fence_are_explained(browser, daemon, shots):
    daemon.set_fences(circle("home", HOME["latitude"], HOME["longitude"], name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME, end=time.time() - 1200))
    page = browser.open()
    open_record(page)
    page.locator("#record li[data-event=exit]").get_by_role("button", name="Why: Left: Home").click()
    answer = page.get_by_role("dialog")
    expect(answer.locator("dd").first).to_contain_text("side", use_inner_text=True)
    expect(answer).to_contain_text("Last fix")
    shots(page, "why")
    answer.get_by_label("Moment").fill("2020-01-01T00:00:00")
    expect(answer).to_contain_text("Nothing is known")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Fences").first.click()
    page.locator("#fences").get_by_role("button", name="Why: Home").click()
    expect(page.get_by_role("dialog")).to_contain_text("outside")


def test_a_day_shows_visits_whose_place_gets_a_name(browser, daemon, shots):
    noon = time.time() // 86_400 * 86_400 - 43_200
    stay_and_go = [0] * 60 + [20 * step for step in range(41)] + [800] * 60
    daemon.send_fixes("anna", walk(**HOME, distances=stay_and_go, end=noon))
    page = browser.open()
    open_record(page)
    visits = page.locator("#record li[data-type=visit]")
    expect(visits).to_have_count(2)
    expect(page.locator("#record li[data-type=journey]")).to_contain_text("±")
    visits.first.get_by_role("button", name="Name the place").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the place").fill("<b>Home</b>")
    page.keyboard.press("Enter")
    expect(visits.first.locator(".name")).to_have_text("<b>Home</b>")
    shots(page, "days")
    visits.last.get_by_role("button", name="Name the place").click()
    dialog.get_by_label("Name of the place").fill("<b>Home</b>")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("Another place has this name")
    page.keyboard.press("Escape")
    page.reload()
    expect(visits.first.locator(".name")).to_have_text("<b>Home</b>")


def test_a_reader_sees_distances_and_no_visits(browser, daemon):
    daemon.send_fixes("anna", there_and_away(**HOME, end=time.time() // 86_400 * 86_400 - 43_200))
    page = browser.open(token=daemon.create_token("--device", "anna", "--read"))
    page.get_by_role("link", name="Record").click()
    expect(page.locator("#record ul").last.locator("li")).to_contain_text("±")
    expect(page.locator("#record [data-type]")).to_have_count(0)
