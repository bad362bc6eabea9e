"""The record: crossings that outlive reloads and kills, and days."""

import csv
import io
import json
import re
import time
from datetime import datetime, timedelta, timezone
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from conftest import HOME, ZONE, Gate, visit, wait_for_state, wait_for_worker, wait_on
from daemon import METRES, circle, there_and_away, walk
from test_now import name_phone, with_wrong_clock


def open_record(page, device="anna"):
    page.get_by_label("Device", exact=True).select_option(device)
    visit(page, "record")


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
        assert north < 10_000, "no exit was recorded"
        context.set_geolocation({**HOME, "latitude": HOME["latitude"] + north * METRES, "accuracy": 5})
        page.wait_for_timeout(500)
    expect(page.locator(".news")).to_contain_text("1 new crossing: Left: The bench")
    shots(page, "news")
    visit(page, "record")
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
    # The page can't hear of it: acknowledged, and killed at once.
    daemon.kill()
    address = daemon.port
    daemon.start(port=0)
    daemon.send_fixes("anna", there_and_away(**HOME, end=end)[12:])
    daemon.kill()
    expect(page.locator(".connection")).to_contain_text("No connection")
    expect(new_marks(page)).to_have_count(0)
    # The page that is still open gets the crossing from the next process.
    daemon.start(port=address)
    expect(new_marks(page)).to_have_count(1)
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


@pytest.mark.parametrize("device", ["anna", ""], ids=["device", "phone"])
def test_page_that_opens_without_the_server_says_so(browser, daemon, device):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1]))
    page = browser.open(service_workers="allow")
    wait_for_worker(page)
    page.get_by_label("Device", exact=True).select_option(device)
    expect(page.locator(".connection")).to_be_empty()
    daemon.kill()
    page.reload()
    expect(page.locator(".connection")).to_contain_text("No connection")
    visit(page, "record")
    none = page.get_by_text("No crossings yet.")
    expect(none).to_be_hidden()
    visit(page, "fences")
    expect(page.get_by_text("No fences yet.")).to_be_hidden()
    daemon.start(port=daemon.port)
    expect(page.get_by_text("No fences yet.")).to_be_visible()
    expect(page.locator(".connection")).to_be_empty()
    visit(page, "record")
    if device:
        expect(none).to_be_visible()


def test_days_without_a_connection_say_so_in_the_language_of_the_page(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1]))
    page = browser.open(locale="de-DE")
    page.get_by_label("Gerät", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    daemon.kill()
    visit(page, "record")
    expect(page.locator("#record")).to_contain_text("Der Server ist nicht erreichbar.")


def test_days_that_were_not_read_are_read_with_the_next_connection(browser, daemon):
    """Also where the stream has survived, as with a network that is away for a moment."""
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    page.route("**/devices/anna/days?*", lambda route: route.abort())
    visit(page, "record")
    expect(page.locator("#record")).to_contain_text("there is no connection to the server")
    page.unroute("**/devices/anna/days?*")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#record .days section").last).to_be_visible()
    expect(page.locator("#record")).not_to_contain_text("there is no connection to the server")


def test_day_that_begins_on_an_open_page_is_listed(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 20, 40], end=time.time() - 86_400))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    days = page.locator("#map").get_by_label("Day", exact=True).locator("option:not([value=''])")
    expect(days).to_have_count(1)
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 20, 40]))
    expect(days).to_have_count(2)


def test_crossings_that_one_tab_has_seen_are_seen_in_the_other(browser, daemon):
    daemon.set_fences(circle("home", HOME["latitude"], HOME["longitude"]))
    daemon.send_fixes("anna", there_and_away(**HOME))
    context = browser.context()
    first, second = browser.open(context=context), browser.open(context=context)
    for page in [first, second]:
        open_record(page)
        expect(new_marks(page)).to_have_count(1)
    first.get_by_role("button", name="Mark all as seen").click()
    expect(new_marks(second)).to_have_count(0)


def test_erased_device_leaves_an_open_page(browser, daemon):
    daemon.set_fences(circle("home", HOME["latitude"], HOME["longitude"]))
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open(viewport={"width": 390, "height": 844})
    open_record(page)
    expect(new_marks(page)).to_have_count(1)
    daemon.send("DELETE", "/api/v1/devices/anna")
    visit(page, "now")
    expect(page.locator("#now .reading")).to_have_text("No location yet")
    visit(page, "map")
    expect(page.locator("#map")).not_to_contain_text("points")
    visit(page, "record")
    expect(page.locator("#record")).to_contain_text("No crossings yet.")
    expect(page.locator("#record")).to_contain_text("No days yet.")


def test_erased_device_leaves_an_open_view(browser, daemon):
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open(viewport={"width": 390, "height": 844})
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "now")
    expect(page.locator("#now .reading")).not_to_have_text("No location yet")
    daemon.send("DELETE", "/api/v1/devices/anna")
    expect(page.locator("#now .reading")).to_have_text("No location yet")


def test_late_answer_does_not_replace_newer_days(browser, daemon):
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open()
    held = []
    page.route("**/devices/anna/days?*", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/devices/anna/days?*"):
        open_record(page)
    visit(page, "now")
    visit(page, "record")
    days = page.locator("#record .days section")
    expect(days.first).to_be_visible()
    with page.expect_response("**/devices/anna/days?*"):
        held[0].fulfill(json={"days": []})
    page.wait_for_timeout(200)
    expect(days.first).to_be_visible()


def test_without_days_there_are_no_earlier_ones(browser, daemon):
    for rights, text in [
        (["--write"], "This token may send positions and read nothing."), (["--read", "--write"], "No days yet.")]:
        page = browser.open(daemon.create_token("--device", "anna", *rights))
        visit(page, "record")
        expect(page.locator("#record")).to_contain_text(text)
        expect(page.get_by_role("button", name="Earlier days")).to_be_hidden()


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
    # Those that are not read yet are new, too.
    link = page.locator("nav a[href='#record']")
    expect(link).to_contain_text("99+")
    expect(link).to_have_accessible_name("Record 100+ new crossings")
    expect(page).to_have_title("(100+) Whereabouts")
    page.get_by_role("button", name="Show older ones").press("Enter")
    expect(entries).to_have_count(known)
    # The button is gone, and the keyboard goes on at what it has shown.
    expect(entries.nth(100)).to_be_focused()
    expect(link).to_have_accessible_name(f"Record {known} new crossings")
    expect(page).to_have_title(f"({known}) Whereabouts")
    expect(page.get_by_role("button", name="Show older ones")).to_be_hidden()
    # What was seen is read no more.
    page.get_by_role("button", name="Mark all as seen").click()
    daemon.send_fixes("anna", there_and_away(**HOME))
    count = len(daemon.get("/api/v1/devices/anna/crossings?limit=1000")["crossings"]) - known
    expect(page).to_have_title(f"({count}) Whereabouts")
    page.reload()
    expect(page).to_have_title(f"({count}) Whereabouts")


def test_days_show_distances_with_their_error_and_their_track(browser, daemon, shots):
    # Noon of a past day in most time zones: one day, and one trip.
    daemon.send_fixes("anna", there_and_away(**HOME, end=time.time() // 86_400 * 86_400 - 43_200))
    page = browser.open()
    open_record(page)
    day = page.locator("#record .days section").last
    expect(day).to_contain_text("±")
    day.get_by_role("button", name="on the map").first.click()
    visit(page, "map")
    expect(page.locator("#map")).to_contain_text("36 points, 0 gaps")
    shots(page, "track")


def test_a_crossing_and_a_fence_are_explained(browser, daemon, shots):
    daemon.set_fences(circle("home", HOME["latitude"], HOME["longitude"], name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME, end=time.time() - 1200))
    page = browser.open()
    open_record(page)
    page.locator("#record li[data-event=exit]").get_by_role("button", name="Why: Left: Home").click()
    answer = page.get_by_role("dialog")
    # A screen reader hears the answer when it comes.
    expect(answer.locator("dl")).to_have_attribute("aria-live", "polite")
    expect(answer.locator("dd").first).to_contain_text("side", use_inner_text=True)
    expect(answer).to_contain_text("Last fix")
    expect(answer).to_contain_text(f"Moment ({ZONE})")
    expect(answer.locator("dd", has_text=" before; ")).to_have_text(re.compile(r"^\d\d:\d\d:\d\d UTC, "))
    shots(page, "why")
    answer.get_by_label("Moment").fill("2020-01-01T00:00:00")
    expect(answer).to_contain_text("Nothing is known")
    page.keyboard.press("Escape")
    visit(page, "fences")
    page.locator("#fences").get_by_role("button", name="Why: Home").click()
    expect(answer).to_contain_text("outside")
    daemon.kill()
    answer.get_by_label("Moment").fill("2020-01-01T00:00:00")
    expect(answer).to_contain_text("there is no connection to the server")


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


def import_visit(daemon, folder):
    """Imports a visit that a Timeline states, without any position."""
    home = {"topCandidate": {"semanticType": "HOME", "placeLocation": {"latLng": "52.5°, 13.4°"}}}
    span = {"startTime": "2024-05-14T10:00:00Z", "endTime": "2024-05-14T12:00:00Z"}
    file = folder / "Timeline.json"
    file.write_text(json.dumps({"semanticSegments": [{**span, "visit": home}]}))
    daemon.import_recording("anna", file)


def test_a_stated_visit_is_marked_and_its_name_confirmed(browser, daemon, tmp_path, shots):
    import_visit(daemon, tmp_path)
    page = browser.open()
    open_record(page)
    stay = page.locator("#record li[data-type=visit]")
    expect(stay.locator(".name")).to_have_text("Home?")
    expect(stay.locator(".detail")).to_contain_text("2 h")
    expect(stay.locator(".detail")).to_contain_text("stated by a recording")
    shots(page, "stated")
    row, = table(page, "Export the days as a table")
    assert (row["type"], row["name"], row["stated"], row["proposed_name"]) == ("visit", "", "yes", "Home")
    stay.get_by_role("button", name="Name the place").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label("Name of the place")).to_have_value("Home")
    dialog.get_by_role("button", name="Save").click()
    expect(stay.locator(".name")).to_have_text("Home")
    expect(stay.locator(".detail")).to_contain_text("stated by a recording")
    page.get_by_role("button", name="Earlier days").click()
    expect(stay).to_have_count(1)
    stay.get_by_role("button", name="on the map").click()
    expect(page.locator(".info")).to_have_text("Home")


def test_legs_of_a_journey_have_their_lengths(browser, daemon):
    """Of which mode the longest leg was, nobody knows."""
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1]))
    page = browser.open("none")

    def days(route):
        day = "2024-05-14"
        leg = {"start": f"{day}T10:00:00Z", "end": f"{day}T10:10:00Z"}
        known, unknown = {**leg, "mode": "walking", "distance": 854.5}, {**leg, "mode": "unknown", "distance": 3707}
        journey = {**leg, "type": "journey", "distance": 4644, "uncertainty": 243}
        route.fulfill(json={"days": [{"day": day, "from": f"{day}T00:00:00Z", "to": f"{day}T23:59:59Z", "segments": [
            {**journey, "id": "a", "legs": [unknown, known]}, {**journey, "id": "b", "legs": [unknown]},
            {**journey, "id": "c", "legs": [known]}]}]})

    page.route("**/devices/anna/days?*", days)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    open_record(page)
    expect(page.locator("#record li[data-type=journey] .name")).to_have_text([
        "Walking 855 m, on the way 3.7 km", "On the way", "Walking"])


def test_a_reader_sees_distances_and_no_visits(browser, daemon, tmp_path):
    import_visit(daemon, tmp_path)
    daemon.send_fixes("anna", there_and_away(**HOME, end=time.time() // 86_400 * 86_400 - 43_200))
    page = browser.open(token=daemon.create_token("--device", "anna", "--read"))
    visit(page, "record")
    expect(page.locator("#record ul").last.locator("li")).to_contain_text("±")
    expect(page.locator("#record [data-type]")).to_have_count(0)


def leave_with_gaps(daemon, device="anna"):
    """Leaves the fence at 5 m/s, of which every fifth fix arrives, until a crossing is recorded; returns the last time."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    # No fix lies on the boundary: the last one within is 12 m inside.
    distances = [0] * 30 + [max(0, 5 * step - 12) for step in range(80)]
    fixes = walk(**HOME, distances=distances, end=time.time() - 60, interval=1)
    for index, fix in enumerate(fixes):
        if index > 30 and index % 5 != 0:
            continue
        daemon.send_fixes(device, [fix])
        if daemon.get(f"/api/v1/devices/{device}/crossings")["crossings"]:
            return datetime.fromisoformat(fix["time"])
    raise AssertionError("no crossing was recorded")


def send_late(daemon, last, distance, device="anna"):
    """Sends the fixes of the last seconds, at a distance from the middle of the fence, after the newer one."""
    for half_seconds in range(9, 0, -1):
        moment = (last - timedelta(seconds=half_seconds / 2)).isoformat()
        daemon.send_fixes(device, [
            {"time": moment, "lat": HOME["latitude"] + distance * METRES, "lon": HOME["longitude"], "hacc": 2}])


def test_a_correction_shows_on_an_open_page(browser, daemon, shots):
    last = leave_with_gaps(daemon)
    page = browser.open()
    open_record(page)
    item = page.locator("#record li[data-event=exit]")
    expect(item).to_contain_text("certain")
    page.get_by_role("button", name="Mark all as seen").click()
    expect(new_marks(page)).to_have_count(0)
    before = item.locator("time").get_attribute("datetime")
    page.evaluate("window.isTheSamePage = true")
    visit(page, "now")
    # Outside a little sooner than it seemed: the time moves, and at last the crossing is no more.
    daemon.send_fixes("anna", [{
        "time": (last - timedelta(seconds=3)).isoformat(), "lat": HOME["latitude"] + 105 * METRES,
        "lon": HOME["longitude"], "hacc": 2}])
    expect(page.locator(".news")).to_contain_text("1 new crossing: Corrected: Left: Home")
    visit(page, "record")
    expect(item).to_contain_text("corrected by later positions")
    expect(new_marks(page)).to_have_count(1)
    assert item.locator("time").get_attribute("datetime") != before
    shots(page, "revised")
    page.get_by_role("button", name="Mark all as seen").click()
    visit(page, "now")
    send_late(daemon, last, distance=50)
    expect(page.locator(".news")).to_contain_text("1 new crossing: Withdrawn: Left: Home")
    visit(page, "record")
    expect(item).to_contain_text("withdrawn")
    expect(item.locator(".withdrawn")).to_have_text("Left: Home")
    shots(page, "withdrawn")
    assert page.evaluate("window.isTheSamePage")
    page.reload()
    expect(item).to_contain_text("withdrawn")


def test_a_crossing_of_an_older_page_is_withdrawn(browser, daemon):
    """The revocation is among the newest records, its crossing is not."""
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1]))
    page = browser.open("none")
    crossing = {"device": "anna", "fence": "home", "event": "exit", "confidence": 0.9, "uncertainty": 1}
    older = [{**crossing, "number": 1, "id": 1, "time": "2026-05-01T12:00:00Z"}]
    newest = [
        {**crossing, "number": 102, "id": 2, "time": "2026-05-02T12:00:00Z"},
        {"device": "anna", "number": 103, "id": 1, "revoked": True}]

    def answer(route):
        records = (newest if "newest=" in route.request.url else
                   older if "after=0" in route.request.url else [])
        route.fulfill(json={"crossings": records, "last": records[-1]["number"] if records else 103})

    page.route("**/devices/anna/crossings?*", answer)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    open_record(page)
    expect(page.locator("#record li[data-event]")).to_have_count(1)
    page.get_by_role("button", name="Show older ones").click()
    expect(page.locator("#record li[data-event]")).to_have_count(2)
    expect(page.locator("#record li[data-id='1']")).to_contain_text("withdrawn")


def table(page, button):
    """Presses a button, and returns the rows of the stored table by their columns."""
    with page.expect_download() as download:
        page.get_by_role("button", name=button).click()
    text = open(download.value.path(), encoding="utf-8-sig", newline="").read()
    return list(csv.DictReader(io.StringIO(text)))


def test_what_is_shown_is_exported(browser, daemon):
    formula = '=1+"1", a'
    daemon.set_fences(circle("home", **HOME, name=formula))
    noon = time.time() // 86_400 * 86_400 - 43_200
    daemon.send_fixes("anna", walk(
        **HOME, distances=[0] * 60 + [20 * step for step in range(41)] + [800] * 60, end=noon))
    page = browser.open()
    open_record(page)
    expect(page.locator("#record li[data-event=exit]")).to_be_visible()
    row, = table(page, "Export the crossings as a table")
    stored = daemon.get("/api/v1/devices/anna/crossings")["crossings"][0]
    assert row["name"] == f"'{formula}" and row["event"] == "exit" and row["fence"] == "home"
    assert abs(datetime.fromisoformat(row["time"]) - datetime.fromisoformat(stored["time"])) < timedelta(seconds=0.01)
    assert float(row["lat"]) == stored["lat"] and float(row["confidence"]) == stored["confidence"]
    expect(page.locator("#record li[data-type=visit]")).to_have_count(2)
    rows = table(page, "Export the days as a table")
    assert [entry["type"] for entry in rows] == ["visit", "journey", "visit"]
    assert {entry["zone"] for entry in rows} == {ZONE}
    assert 700 < float(rows[1]["distance_m"]) < 900


def test_days_are_shown_in_the_zone_of_the_device(browser, daemon, shots):
    """In Auckland, the day after midnight is another one than in the zone of the browser."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    noon = time.time() // 86_400 * 86_400 - 43_200
    daemon.send_fixes("anna", there_and_away(**HOME, end=noon))
    daemon.send_fixes("ben", there_and_away(**HOME, end=noon))
    page = browser.open()
    open_record(page)
    item = page.locator("#record li[data-event=exit]")
    crossing = datetime.fromisoformat(item.locator("time").get_attribute("datetime"))
    page.get_by_label("Time zone").select_option("Etc/GMT-14")
    there = crossing + timedelta(hours=14)
    expect(page.get_by_text("Times in Etc/GMT-14")).to_be_visible()
    expect(item).to_contain_text(there.strftime("%H:%M:%S"))
    expect(page.locator("#record h3", has_text=there.strftime("%A"))).to_have_count(2)
    item.get_by_role("button", name="Why: Left: Home").click()
    expect(page.get_by_role("dialog").get_by_label("Moment")).to_have_value(there.strftime("%Y-%m-%dT%H:%M:%S"))
    expect(page.get_by_role("dialog").locator("dd").first).not_to_be_empty()
    page.keyboard.press("Escape")
    shots(page, "zone")
    page.reload()
    expect(item).to_contain_text(there.strftime("%H:%M:%S"))
    # Kept for each device alone.
    open_record(page, "ben")
    expect(page.get_by_label("Time zone")).to_have_value("")
    expect(page.get_by_text("Times in")).to_be_hidden()
    expect(item).not_to_contain_text(there.strftime("%H:%M:%S"))


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Etc/UTC"])
def test_moments_of_a_zone_are_read_as_they_are_shown(browser, daemon, zone):
    """Also near the changes of clocks."""
    page = browser.open()
    wrong = page.evaluate("""async (zone) => {
      const format = await import("/page/format.js");
      format.setTimeZone(zone);
      const wrong = [];
      for (let hour = 0; hour < 24 * 366; hour += 1) {
        const moment = new Date(Date.UTC(2026, 0, 1, hour, 30, 15));
        const text = format.localText(moment), again = format.fromLocalText(text);
        if (format.localText(again) !== text) wrong.push(text);
      }
      return wrong;
    }""", zone)
    assert wrong == []


def test_the_days_are_derived_once_for_each_look(browser, daemon):
    """The server derives the days in each request."""
    noon = time.time() // 86_400 * 86_400 - 43_200
    for day in range(12):
        daemon.send_fixes("anna", walk(**HOME, distances=[20 * step for step in range(41)], end=noon - 86_400 * (11 - day)))
    page = browser.open()
    requests, sections = [], page.locator("#record .days section")
    page.on("request", lambda request: requests.append(request.url) if "/days?" in request.url else None)

    def expect_one(count, most=1):
        wait_on(page, lambda: requests)
        expect(sections).to_have_count(count)
        # A second one would have begun with the answers that came meanwhile.
        page.wait_for_timeout(500)
        assert 1 <= len(requests) <= most, requests
        requests.clear()

    page.get_by_label("Device", exact=True).select_option("anna")
    # Also what comes with the connection is read before the look.
    wait_for_state(page, "(state) => state.hasTrips && state.hasLastFix && state.hasCrossings")
    visit(page, "record")
    expect_one(7)
    for device in ["", "anna"]:
        page.get_by_label("Device", exact=True).select_option(device)
    expect_one(7)
    page.get_by_role("button", name="Earlier days").click()
    expect_one(12)
    # Of two looks at once, that at the record reads the trips.
    trips, devices = Gate(page, "**/devices/anna/trips"), Gate(page, "**/api/v1/devices")
    visit(page, "now")
    devices.wait()
    devices.open()
    trips.wait()
    devices.close()
    visit(page, "record")
    devices.wait()
    with page.expect_response("**/devices/anna/trips"):
        trips.open()
    page.wait_for_timeout(500)
    assert requests == []
    devices.open()
    expect_one(12)
    daemon.send_fixes("anna", walk(**HOME, distances=[20 * step for step in range(41)]))
    visit(page, "now")
    visit(page, "record")
    expect(sections.first).to_contain_text(datetime.now(ZoneInfo(ZONE)).strftime("%A"))
    # What the page asks for before it is left does not count.
    page.goto("about:blank")
    requests.clear()
    page.goto(daemon.url + "/#record")
    page.locator("#source").wait_for()
    # The view reads as it is shown, and the stream as it opens: at the same time, unless the machine is slow.
    expect_one(7, most=2)


def walk_in_a_zone(begin, offset, count=120):
    """Returns a GPX file of a walk whose times state an offset."""
    points = "".join(
        f'<trkpt lat="{52.5 + 20 * step * METRES}" lon="13.4"><time>{(begin + timedelta(seconds=30 * step)).isoformat()}{offset}</time></trkpt>'
        for step in range(count))
    return f'<gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{points}</trkseg></trk></gpx>'


def test_days_are_shown_in_the_local_times_that_recordings_state(browser, daemon, tmp_path, shots):
    for name, begin, offset in [("tokyo", datetime(2026, 5, 14, 23, 50), "+09:00"), ("apia", datetime(2026, 5, 16, 8, 0), "+13:00")]:
        file = tmp_path / f"{name}.gpx"
        file.write_text(walk_in_a_zone(begin, offset))
        daemon.import_recording("anna", file)
    daemon.send_fixes("ben", there_and_away(**HOME))
    page = browser.open()
    open_record(page)
    days = page.locator("#record .days section")
    page.get_by_label("Time zone").select_option("stated")
    expect(page.get_by_text("Days in the local times that recordings state")).to_be_visible()
    expect(days).to_have_count(3)
    expect(days.first).to_contain_text("Times in UTC+13:00")
    expect(days.first.locator(".times").last).to_contain_text("08:00–")
    expect(days.last).to_contain_text("14 May 2026")
    expect(days.last.locator(".times").first).to_have_text("23:50–…")
    shots(page, "stated")
    rows = table(page, "Export the days as a table")
    assert {row["zone"] for row in rows} == {"stated"} and rows[0]["start"] == "2026-05-14T23:50:00+09:00"
    page.reload()
    expect(page.get_by_label("Time zone")).to_have_value("stated")
    expect(days).to_have_count(3)
    # Where nothing is stated, the zone of the server holds, and is named.
    open_record(page, "ben")
    page.get_by_label("Time zone").select_option("stated")
    expect(page.get_by_text(f"The days are in {ZONE}.")).to_be_visible()


def test_day_of_imported_positions_is_shown_on_the_map(browser, daemon, tmp_path):
    """The server has no trip of it."""
    for day in [14, 16]:
        file = tmp_path / f"{day}.gpx"
        file.write_text(walk_in_a_zone(datetime(2026, 5, day, 10, 0), "Z"))
        daemon.import_recording("anna", file)
    page = browser.open(viewport={"width": 390, "height": 844})
    open_record(page)
    page.get_by_role("button", name="Show Thursday, 14 May 2026 on the map").click()
    summary, day = page.locator("#map .hint[role=status]"), page.locator("#map").get_by_label("Day")
    expect(summary).to_have_text("120 points, 119 gaps")
    expect(day.locator("option:checked")).to_have_text("Thursday, 14 May 2026")
    # With the next answer, too.
    visit(page, "record")
    with page.expect_response("**/devices/anna/trips"):
        visit(page, "map")
    page.wait_for_timeout(500)
    expect(day.locator("option:checked")).to_have_text("Thursday, 14 May 2026")
    expect(summary).to_have_text("120 points, 119 gaps")
    page.get_by_label("Device", exact=True).select_option("")
    expect(day.locator("option")).to_have_text(["No track"])


def test_crossing_of_another_day_is_told_with_its_day(browser, daemon):
    """Beside the list of the days, a time alone would be taken for one of today."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    end = datetime(2025, 5, 14, 12, 0, tzinfo=timezone.utc).timestamp()
    daemon.send_fixes("anna", there_and_away(**HOME, end=end))
    daemon.send_fixes("ben", there_and_away(**HOME))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator(".news")).to_contain_text(re.compile(r"^1 new crossing: Left: Home, Wed,? 14 May 2025, \d\d:\d\d:\d\d ± "))
    visit(page, "record")
    page.get_by_role("button", name="Show Left: Home on the map").click()
    expect(page.locator(".info")).to_have_text(re.compile(r"^Left: Home, Wed,? 14 May 2025, \d\d:"))
    visit(page, "now")
    page.get_by_label("Device", exact=True).select_option("ben")
    expect(page.locator(".news")).to_contain_text(re.compile(r"^1 new crossing: Left: Home, \d\d:\d\d:\d\d ± "))


def test_day_of_a_device_that_sends_no_more_does_not_go_on(browser, daemon):
    """Neither the trip nor the visit has an end."""
    for device, end in [("anna", time.time() - 5), ("ben", time.time() - 40 * 86_400)]:
        daemon.send_fixes(device, walk(**HOME, distances=[20 * step for step in range(41)] + [800] * 60, end=end))
    page = browser.open()
    for device, going in [("anna", True), ("ben", False)]:
        open_record(page, device)
        day = page.locator("#record .days section").first
        for text in [day.locator("p.hint"), day.locator("li[data-type=visit]").last]:
            expect(text).to_be_visible()
            (expect(text).to_contain_text if going else expect(text).not_to_contain_text)("still going on")


def test_times_around_a_change_of_the_clock_have_their_offsets(browser, daemon):
    end = datetime(2026, 10, 25, 2, 0, tzinfo=timezone.utc).timestamp()
    daemon.send_fixes("anna", walk(**HOME, distances=[60 * step for step in range(80)] + [4740] * 20, interval=60, end=end))
    page = browser.open()
    open_record(page)
    page.get_by_label("Time zone").select_option("Europe/Berlin")
    expect(page.locator("#record .days .times").first).to_have_text(re.compile(r"^02:21 UTC\+02:00–02:\d\d UTC\+01:00$"))


def test_durations_are_rounded_to_their_greatest_units(browser):
    texts, ages = browser.open().evaluate("""async () => {
      const { age, duration } = await import("/page/format.js");
      return [[59.4, 59.5, 90, 599.4, 599.5, 3569, 3570, 3600, 7170, 172799].map(duration), [0.4, 59.4, 59.5, 90, 3570].map(age)];
    }""")
    assert texts == ["59 s", "1 min", "1 min 30 s", "9 min 59 s", "10 min", "59 min", "1 h", "1 h", "2 h", "48 h"]
    assert ages == ["now", "59 s ago", "1 min ago", "2 min ago", "1 h ago"]


def test_earlier_days_come_after_weeks_without_positions(browser, daemon):
    noon = time.time() // 86_400 * 86_400 - 43_200
    for days in [0, 40]:
        daemon.send_fixes("anna", walk(**HOME, distances=range(0, 1000, 20), end=noon - 86_400 * days))
    page = browser.open()
    open_record(page)
    days = page.locator("#record .days section[aria-label]")
    expect(days.first).to_be_visible()
    known = days.count()
    page.get_by_role("button", name="Earlier days").click()
    expect(days).not_to_have_count(known)


def test_keyboard_goes_on_at_the_earliest_days(browser, daemon):
    """At the greatest number of days, the button for earlier ones goes."""
    noon = time.time() // 86_400 * 86_400 - 43_200
    for days in [0, 8, 15, 22, 29, 36, 43, 50]:
        daemon.send_fixes("anna", walk(**HOME, distances=range(0, 1000, 20), end=noon - 86_400 * days))
    page = browser.open()
    open_record(page)
    older, days = page.get_by_role("button", name="Earlier days"), page.locator("#record .days section[aria-label]")
    for _ in range(7):
        expect(older).to_be_visible()
        known = days.count()
        older.press("Enter")
        expect(days).not_to_have_count(known)
    expect(older).to_be_hidden()
    expect(days.nth(known)).to_be_focused()


def test_all_days_are_read_by_a_browser_with_a_clock_that_is_behind(browser, daemon):
    noon = time.time() // 86_400 * 86_400 - 43_200
    for day in range(9):
        daemon.send_fixes("anna", walk(**HOME, distances=[20 * step for step in range(41)], end=noon - 86_400 * (8 - day)))
    page = browser.open(context=with_wrong_clock(browser, -5 * 24))
    sections = page.locator("#record .days section")
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "record")
    expect(sections).to_have_count(7)
    newest = sections.first.get_attribute("aria-label")
    page.get_by_role("button", name="Earlier days").click()
    expect(sections).to_have_count(9)
    visit(page, "now")
    with page.expect_response("**/devices/anna/days?*"):
        visit(page, "record")
    page.wait_for_timeout(500)
    expect(sections).to_have_count(9)
    expect(sections.first).to_have_attribute("aria-label", newest)


def test_answer_that_breaks_off_is_a_lost_connection(browser, daemon):
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open(service_workers="block")
    page.route("**/devices/anna/days?*", lambda route: route.fulfill(body='{"days": [{"day": "20'))
    open_record(page)
    expect(page.locator("#record")).to_contain_text("Not done: there is no connection")
    page.unroute("**/devices/anna/days?*")
    visit(page, "now")
    visit(page, "record")
    expect(page.locator("#record li[data-type]").first).to_be_visible()


def test_explanation_is_that_of_the_moment_that_is_shown(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open(service_workers="block")
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "fences")
    page.get_by_role("button", name=re.compile("Why.*Home")).click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("dd").first).to_be_visible()
    held = []
    page.route("**/why?*", lambda route: held.append(route))
    moment = dialog.locator("input")
    for time_of_day in ["10:00:00", "11:00:00"]:
        with page.expect_request("**/why?*"):
            moment.fill(f"2001-01-01T{time_of_day}")
    wait_on(page, lambda: len(held) >= 2)
    answers = ["of the first", "of the second"]
    for number in [-1, 0]:
        held[number].fulfill(json={"lines": ["", f"side        {answers[number]}"]})
        expect(dialog.locator("dl")).to_contain_text("of the second")
        page.wait_for_timeout(200)
    expect(dialog.locator("dl")).to_contain_text("of the second")


def test_earlier_days_come_although_a_day_begins_meanwhile(browser, daemon):
    for days in [1, 12]:
        daemon.send_fixes("anna", walk(**HOME, distances=range(0, 1000, 20), end=time.time() - days * 86_400))
    page = browser.open(service_workers="block")
    open_record(page)
    days = page.locator("#record .days h3")
    older = page.get_by_role("button", name="Earlier days")
    expect(older).to_be_visible()
    before = days.count()
    held = []
    page.route("**/devices/anna/days?*", lambda route: held.append(route))
    with page.expect_request("**/devices/anna/days?*"):
        older.click()
    with page.expect_request("**/devices/anna/days?*"):
        daemon.send_fixes("anna", walk(**HOME, distances=[0]))
    wait_on(page, lambda: len(held) >= 2)
    while held:
        held.pop(0).continue_()
        page.wait_for_timeout(700)
    page.unroute("**/devices/anna/days?*")
    expect(days).not_to_have_count(before)
    assert days.count() > before + 2


def test_earlier_crossings_that_are_not_read_are_said_so(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open(service_workers="block")
    crossings = daemon.get("/api/v1/devices/anna/crossings")["crossings"]
    page.route("**/crossings?newest=*", lambda route: route.fulfill(
        json={"crossings": [{**crossing, "number": 150} for crossing in crossings], "last": 200}))
    page.route("**/crossings?after=0&*", lambda route: route.abort())
    open_record(page)
    with page.expect_request("**/crossings?after=*"):
        page.get_by_role("button", name="Show older ones").click()
    expect(page.locator("#record .notice")).to_contain_text("Not done: there is no connection")


def test_late_list_of_devices_does_not_replace_a_newer_one(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0]))
    page = browser.open(service_workers="block")
    options = page.get_by_label("Device", exact=True).locator("option")
    expect(options).to_have_count(2)
    held = []

    def hold(route):
        held.append((route, route.fetch()))

    page.route("**/api/v1/devices", hold, times=1)
    with page.expect_request("**/api/v1/devices"):
        visit(page, "fences")
    wait_on(page, lambda: held)
    daemon.send_fixes("berta", walk(**HOME, distances=[0]))
    visit(page, "map")
    expect(options).to_have_count(3)
    route, response = held[0]
    route.fulfill(response=response)
    page.wait_for_timeout(500)
    expect(options).to_have_count(3)


def test_mark_of_another_tab_ahead_of_this_one_makes_nothing_new(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open(service_workers="block")
    open_record(page)
    page.get_by_role("button", name="Mark all as seen").click()
    expect(new_marks(page)).to_have_count(0)
    page.evaluate("""() => {
      localStorage.setItem("whereabouts.seen.anna", "1000");
      dispatchEvent(new StorageEvent("storage", { key: "whereabouts.seen.anna" }));
    }""")
    expect(new_marks(page)).to_have_count(0)
    page.wait_for_timeout(300)
    expect(new_marks(page)).to_have_count(0)
    # A server with another store counts anew.
    page.reload()
    visit(page, "record")
    expect(new_marks(page)).to_have_count(1)


def test_name_and_zone_that_another_tab_changes_are_taken_over(browser, daemon):
    daemon.send_fixes("berta", walk(**HOME, distances=[0, 1, 2]))
    context = browser.context()
    page = browser.open(context=context)
    name_phone(page, "anna")
    page.evaluate("localStorage.setItem('whereabouts.token', sessionStorage.getItem('whereabouts.token'))")
    other = browser.open("none", context=context)
    name_phone(other, "berta")
    expect(page.get_by_label("Device", exact=True).locator("option").first).to_have_text("This phone (berta)")
    expect(page.locator("#now .reading")).to_contain_text("±")
    visit(other, "record")
    other.get_by_label("Time zone").select_option("Asia/Tokyo")
    visit(page, "record")
    expect(page.locator("#record")).to_contain_text("Asia/Tokyo")


def test_place_gets_the_name_of_one_press(browser, daemon):
    """A second press may come to the server before the first one."""
    noon = time.time() // 86_400 * 86_400 - 43_200
    daemon.send_fixes("anna", walk(**HOME, distances=[0] * 60 + [20 * step for step in range(41)], end=noon))
    page = browser.open(service_workers="block")
    open_record(page)
    page.locator("#record li[data-type=visit]").first.get_by_role("button", name="Name the place").click()
    gate = Gate(page, "**/visits/*/place")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the place").fill("Home")
    page.keyboard.press("Enter")
    gate.wait()
    dialog.get_by_label("Name of the place").fill("House")
    page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    assert len(gate.held) == 1
    gate.held.pop().abort()
    expect(dialog).to_contain_text("Not done: there is no connection")
    gate.open()
    page.keyboard.press("Enter")
    expect(page.locator("#record li[data-type=visit] .name").first).to_have_text("House")


def test_failure_of_another_device_is_not_told(browser, daemon):
    for device in ["anna", "berta"]:
        daemon.send_fixes(device, there_and_away(**HOME))
    page = browser.open(service_workers="block")
    crossing = {"device": "anna", "fence": "home", "event": "exit", "confidence": 0.9, "uncertainty": 1}
    page.route("**/devices/anna/crossings?newest=*", lambda route: route.fulfill(
        json={"crossings": [{**crossing, "number": 150, "id": 2, "time": "2026-05-02T12:00:00Z"}], "last": 200}))
    gate = Gate(page, "**/devices/anna/crossings?after=*")
    open_record(page)
    older, notice = page.get_by_role("button", name="Show older ones"), page.locator("#record .notice")
    older.click()
    gate.wait()
    page.get_by_label("Device", exact=True).select_option("berta")
    expect(older).to_be_hidden()
    gate.held.pop().abort()
    page.wait_for_timeout(500)
    expect(notice).to_be_empty()
    # Nor stays what was told of the device before.
    page.get_by_label("Device", exact=True).select_option("anna")
    older.click()
    gate.wait()
    gate.held.pop().abort()
    expect(notice).to_contain_text("Not done")
    page.get_by_label("Device", exact=True).select_option("berta")
    expect(notice).to_be_empty()


def test_name_of_a_place_that_is_given_up_while_it_is_saved_is_not_saved(browser, daemon):
    noon = time.time() // 86_400 * 86_400 - 43_200
    daemon.send_fixes("anna", walk(**HOME, distances=[0] * 60 + [20 * step for step in range(41)], end=noon))
    page = browser.open()
    open_record(page)
    name = page.locator("#record li[data-type=visit]").first.get_by_role("button", name="Name the place")
    name.click()
    gate = Gate(page, "**/visits/*/place")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of the place").fill("Home")
    page.keyboard.press("Enter")
    gate.wait()
    # Two names in one moment may come to the server in the other order.
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/place")):
        dialog.get_by_role("button", name="Cancel").click()
    gate.open()
    page.reload()
    expect(name).to_have_text("Name")


def test_crossing_of_an_hour_that_comes_twice_is_explained(browser, daemon):
    """The clocks of Berlin have shown this hour twice."""
    end = datetime(2025, 10, 26, 0, 30, tzinfo=timezone.utc).timestamp()
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME, end=end))
    page = browser.open(timezone_id="Europe/Berlin")
    open_record(page)
    item = page.locator("#record li[data-event=exit]")
    with page.expect_request("**/why?*") as asked:
        item.get_by_role("button", name="Why").click()
    query = parse_qs(urlsplit(asked.value.url).query)
    assert query["at"] == [item.locator("time").get_attribute("datetime")]
    expect(item).to_contain_text(re.compile(r"02:\d\d:\d\d UTC\+02:00 ± "))


@pytest.mark.parametrize("zone,first,second,ahead", [
    ("Europe/Berlin", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", ["+02:00", "+01:00"]),
    ("America/St_Johns", "2026-11-01T03:30:00Z", "2026-11-01T04:30:00Z", ["−02:30", "−03:30"]),
    ("Australia/Lord_Howe", "2026-04-04T14:30:00Z", "2026-04-04T15:00:00Z", ["+11:00", "+10:30"])])
def test_times_that_come_twice_have_their_offsets(browser, zone, first, second, ahead):
    """The clocks are set back to the first moment at the second one."""
    first, second = datetime.fromisoformat(first), datetime.fromisoformat(second)
    tick, end = timedelta(seconds=1), second + (second - first)
    moments = [first - tick, first, second - tick, second, end - tick, end]
    texts = browser.open().evaluate("""async ([zone, moments]) => {
      const format = await import("/page/format.js");
      format.setTimeZone(zone);
      return moments.map((moment) => new Date(moment)).map((moment) =>
        [format.clock(moment), format.clock(moment, 90), format.moment(moment), format.minuteOfDay(moment)]);
    }""", [zone, [moment.isoformat() for moment in moments]])
    for shown, offset in zip(texts, [None, ahead[0], ahead[0], ahead[1], ahead[1], None]):
        for text in shown:
            assert (f" UTC{offset}" in text) if offset else "UTC" not in text, (text, offset)
    assert texts[1][1].endswith(f" UTC{ahead[0]} ± 2 min")


def test_uncertainty_of_hours_has_no_minutes(browser):
    texts = browser.open().evaluate("""async (uncertainties) => {
      const { clock } = await import("/page/format.js");
      return uncertainties.map((uncertainty) => clock(new Date("2026-01-15T12:00:00Z"), uncertainty));
    }""", [45, 7_140, 24_840, 260_000])
    assert [text.split(" ± ")[1] for text in texts] == ["45 s", "119 min", "7 h", "3 days"]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_names_of_buttons_contain_their_texts(browser, daemon, locale):
    """A person who controls the page by voice says the text of a button."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", walk(**HOME, distances=[0] * 60 + [20 * step for step in range(41)] + [800] * 60))
    page = browser.open(locale=locale)
    page.locator("#source").select_option("anna")
    visit(page, "record")
    visits, dialog = page.locator("#record li[data-type=visit]"), page.get_by_role("dialog")
    visits.first.get_by_role("button").first.click()
    dialog.locator("input").fill("Work")
    page.keyboard.press("Enter")
    expect(visits.filter(has_text="Work")).to_have_count(1)
    others = page.evaluate("""() => [...document.querySelectorAll("button[aria-label]")]
      .map((button) => [button.textContent, button.getAttribute("aria-label")])
      .filter(([text, name]) => !name.toLowerCase().includes(text.replace("?", "").toLowerCase()))""")
    assert others == []
