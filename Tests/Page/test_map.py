"""The map: what of it is seen at once."""

import re
import time

import pytest
from playwright.sync_api import expect

from conftest import HOME, Gate, press_until, visit, wait_for_state, wait_on
from daemon import METRES, circle, walk


def scale(page):
    """Returns the length in metres that the map's scale states."""
    text = page.locator(".map-scale span").inner_text()
    value, unit = re.fullmatch(r"([\d.,]+)\s(m|km)", text).groups()
    return float(value.replace(",", "")) * (1000 if unit == "km" else 1)


def drawn_scale(page):
    """Returns the text of the scale once it is drawn: with the frame after the map has moved."""
    return page.evaluate("""() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(
      () => resolve(document.querySelector(".map-scale span").textContent))))""")


def test_track_across_180_degrees_is_one_picture(browser, daemon, shots):
    """In Fiji, from west to east."""
    step = 20 * METRES / 0.956
    fixes = [
        {**fix, "lat": -17, "lon": (179.99 + index * step + 180) % 360 - 180}
        for index, fix in enumerate(walk(**HOME, distances=range(100)))]
    assert fixes[0]["lon"] > 0 > fixes[-1]["lon"]
    daemon.send_fixes("anna", fixes)
    daemon.set_fences(circle("west", -17, 179.99), circle("east", -17, -179.99), {
        "type": "Feature", "id": "both", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [[
            [179.995, -17.005], [-179.995, -17.005], [-179.995, -16.995], [179.995, -17.005]]]}})
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    page.locator("#map").get_by_label("Day").select_option(index=1)
    expect(page.locator("#map .hint[role=status]")).to_contain_text("100 points")
    # The track is 2 km long, the fences lie within 3 km.
    wait_on(page, lambda: scale(page) < 1000)
    for press in [lambda: page.get_by_role("button", name="Show everything").click(),
                  lambda: page.get_by_role("button", name="Go to the location").click()]:
        press()
        drawn_scale(page)
        assert scale(page) < 1000
    shots(page, "track")
    visit(page, "fences")
    page.get_by_role("button", name="Show both on the map").click()
    expect(page.locator(".info")).to_contain_text("both: area")
    drawn_scale(page)
    assert scale(page) < 1000
    # The fence is under the middle of the map, where it is pressed.
    box = page.locator(".map-canvas").bounding_box()
    middle = {"x": box["width"] * 0.52, "y": box["height"] * 0.52}
    press_until(page, lambda: page.locator(".map-canvas").click(position=middle), "both: area")


def test_numbers_are_words_of_the_language(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0]))
    page = browser.open(locale="de-DE")
    page.locator("#source").select_option("anna")
    page.locator('nav a[href="#map"]').click()
    page.locator("#map select").first.select_option(index=1)
    expect(page.locator("#map .hint[role=status]")).to_have_text("1 Punkt, 0 Lücken")
    degrees = page.evaluate("import('/page/format.js').then(({ degrees }) => degrees(13.4, 2))")
    assert degrees == "13,40°"


def test_track_that_grows_while_it_is_read_has_each_point_once(browser, daemon):
    """The answers take longer than the interval at which the track grows."""
    fixes = walk(**HOME, distances=range(0, 1000, 10))
    daemon.send_fixes("anna", fixes[:90])
    page = browser.open("none", patient=False, service_workers="block")
    page.clock.install()
    held = []
    page.route("**/devices/anna/fixes?*", lambda route: held.append(route))
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Device", exact=True).select_option("anna")
    with page.expect_request("**/devices/anna/fixes?*"):
        visit(page, "map")
    wait_on(page, lambda: held)
    summary = page.locator("#map .hint[role=status]")
    for count in [95, 100]:
        daemon.send_fixes("anna", fixes[count - 5:count])
        wait_for_state(
            page, "(state, time) => Math.abs(new Date(state.fix?.time) - new Date(time)) < 1000", fixes[count - 1]["time"])
        page.clock.run_for(4_000)
        page.clock.run_for(4_000)
    while held:
        held.pop(0).continue_()
        expect(summary).to_contain_text("points, 0 gaps")
        page.clock.run_for(4_000)
    expect(summary).to_have_text("100 points, 0 gaps")
    page.clock.run_for(4_000)
    expect(summary).to_have_text("100 points, 0 gaps")


def test_day_that_was_chosen_last_is_shown(browser, daemon):
    """Two days are chosen before the map is there, and the answer for the first one comes late."""
    yesterday = time.time() - 86_400
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 300, 100), end=yesterday))
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 500, 100)))
    page = browser.open(service_workers="block", viewport={"width": 390, "height": 844})
    script, tracks = Gate(page, "**/page/map.js"), Gate(page, "**/devices/anna/fixes?*")
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    script.wait()
    days = page.locator("#map").get_by_label("Day")
    days.select_option(index=1)
    days.select_option(index=2)
    script.open()
    tracks.wait()
    page.wait_for_timeout(500)
    summary = page.locator("#map .hint[role=status]")

    def let_newest_through():
        if tracks.held:
            tracks.held.pop().continue_()
        return summary.inner_text() == "3 points, 0 gaps"

    # Each may come here late.
    wait_on(page, let_newest_through)
    tracks.open()
    page.wait_for_timeout(500)
    expect(summary).to_have_text("3 points, 0 gaps")


def test_day_that_is_over_has_its_last_point(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 300, 100), end=time.time() - 86_400))
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 500, 100)))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    page.locator("#map").get_by_label("Day").select_option(index=2)
    expect(page.locator("#map .hint[role=status]")).to_have_text("3 points, 0 gaps")


def test_map_that_could_not_be_loaded_is_loaded_later(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open(service_workers="block", viewport={"width": 390, "height": 844})
    page.get_by_label("Device", exact=True).select_option("anna")
    page.route("**/page/map.js*", lambda route: route.abort())
    visit(page, "map")
    expect(page.locator(".info")).to_contain_text("no connection")
    page.unroute("**/page/map.js*")
    expect(page.locator(".leaflet-pane").first).to_be_attached()
    expect(page.locator(".info")).to_be_empty()


def zoom_by_wheel(page):
    page.locator(".map-canvas").hover()
    page.mouse.wheel(0, -100)


def zoom_by_key(page):
    page.locator(".map-canvas").focus()
    page.keyboard.press("+")


@pytest.mark.parametrize("choose", [zoom_by_wheel, zoom_by_key, lambda page: page.get_by_role("button", name="Zoom in").click()],
                         ids=["wheel", "key", "button"])
@pytest.mark.parametrize("is_asked", [True, False], ids=["asked", "open"])
def test_track_that_comes_late_does_not_move_what_the_person_has_chosen(browser, daemon, choose, is_asked):
    """Neither that of the open trip, which is shown by itself, nor that of a day."""
    if is_asked:
        daemon.send_fixes("anna", walk(**HOME, distances=range(0, 20_000, 5000), interval=600, end=time.time() - 86_400))
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 20_000, 4000), interval=600))
    page = browser.open(service_workers="block")
    tracks = Gate(page, "**/devices/anna/fixes?*")
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    visit(page, "map")
    tracks.wait()
    summary, length = page.locator("#map .hint[role=status]"), page.locator(".map-scale span")
    if is_asked:
        tracks.open()
        expect(summary).to_contain_text("5 points")
        tracks.close()
        page.locator("#map").get_by_label("Day").select_option(index=2)
        tracks.wait()
    before = drawn_scale(page)
    choose(page)
    expect(length).not_to_have_text(before)
    chosen = drawn_scale(page)
    tracks.open()
    expect(summary).to_contain_text("4 points" if is_asked else "5 points")
    assert drawn_scale(page) == chosen


def test_track_that_the_person_has_removed_stays_away(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 500, 100)))
    page = browser.open(viewport={"width": 390, "height": 844})
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    summary, day = page.locator("#map .hint[role=status]"), page.locator("#map").get_by_label("Day")
    expect(summary).to_have_text("5 points, 0 gaps")
    day.select_option("")
    expect(summary).to_be_empty()
    for view in ["now", "map"]:
        with page.expect_response("**/devices/anna/trips"):
            visit(page, view)
    page.wait_for_timeout(500)
    expect(day).to_have_value("")
    expect(summary).to_be_empty()
    # Another device has a choice of its own.
    for device in ["", "anna"]:
        page.get_by_label("Device", exact=True).select_option(device)
    expect(summary).to_have_text("5 points, 0 gaps")


@pytest.mark.parametrize("width", [390, 1280], ids=["phone", "desktop"])
def test_device_that_is_chosen_is_in_view(browser, daemon, tmp_path, width):
    """Also where the person has moved the map, or looked at a fence, of the device before."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 500, 100)))
    daemon.send_fixes("ben", walk(0, 0, distances=range(0, 20_000, 4000), interval=600))
    recording = tmp_path / "old.gpx"
    recording.write_text(
        '<gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>'
        + "".join(f'<trkpt lat="48.{step}" lon="11"><time>2024-05-14T12:{step}:00Z</time></trkpt>' for step in range(10, 20))
        + "</trkseg></trk></gpx>")
    daemon.import_recording("old", recording)
    page = browser.open(viewport={"width": width, "height": 844})
    device = page.get_by_label("Device", exact=True)
    device.select_option("anna")
    visit(page, "map")
    summary = page.locator("#map .hint[role=status]")
    expect(summary).to_have_text("5 points, 0 gaps")
    page.get_by_role("button", name="Zoom in").click()
    device.select_option("ben")
    wait_on(page, lambda: scale(page) >= 1000)
    visit(page, "fences")
    page.get_by_role("button", name="Show Home on the map").click()
    wait_on(page, lambda: scale(page) <= 200)
    visit(page, "now")
    device.select_option("anna")
    device.select_option("ben")
    visit(page, "map")
    wait_on(page, lambda: scale(page) >= 1000)
    page.get_by_role("button", name="Zoom in").click()
    # Of a device without a track, the location.
    device.select_option("old")
    wait_on(page, lambda: scale(page) <= 200)


def test_map_that_is_left_before_it_is_loaded_shows_the_location_later(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2], end=time.time() - 86_400))
    page = browser.open(service_workers="block", viewport={"width": 390, "height": 844})
    script = Gate(page, "**/page/map.js")
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    visit(page, "map")
    script.wait()
    visit(page, "fences")
    page.get_by_role("button", name="Show Home on the map").click()
    expect(page.locator("#map")).to_be_visible()
    visit(page, "record")
    script.open()
    expect(page.locator(".leaflet-pane").first).to_be_attached()
    page.wait_for_timeout(500)
    visit(page, "map")
    wait_on(page, lambda: scale(page) <= 100)
    expect(page.locator(".info")).to_be_empty()


def test_screen_that_is_turned_in_another_view_leaves_the_map_in_place(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2], end=time.time() - 86_400))
    page = browser.open(viewport={"width": 390, "height": 844})
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    visit(page, "map")
    wait_on(page, lambda: scale(page) <= 100)
    visit(page, "fences")
    page.set_viewport_size({"width": 390, "height": 700})
    # The map learns the size with the next frame.
    drawn_scale(page)
    visit(page, "map")
    drawn_scale(page)
    box = page.locator(".map-canvas").bounding_box()
    page.locator(".map-canvas").click(position={"x": box["width"] / 2 + 20, "y": box["height"] / 2 + 20})
    expect(page.locator(".info")).to_contain_text("Home: circle")


def test_track_that_could_not_be_read_is_read_again(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 300, 100), end=time.time() - 86_400))
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 500, 100)))
    page = browser.open(viewport={"width": 390, "height": 844})
    tracks = Gate(page, "**/devices/anna/fixes?*")
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    # Of a day that is over nothing else is read later.
    page.locator("#map").get_by_label("Day").select_option(index=2)
    summary, again = page.locator("#map .hint[role=status]"), page.get_by_role("button", name="Try again")

    def lose_connection():
        while tracks.held:
            tracks.held.pop().abort()
        return "no connection" in summary.inner_text()

    wait_on(page, lose_connection)
    tracks.open()
    again.click()
    expect(summary).to_have_text("3 points, 0 gaps")
    expect(again).to_be_hidden()
    expect(page.locator("#map h1")).to_be_focused()


def test_track_that_comes_in_another_view_is_in_view_at_the_next_look(browser, daemon):
    """Also where the map has no size, as when the phone is turned in the other view."""
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 20_000, 4000), interval=600))
    page = browser.open(viewport={"width": 390, "height": 844})
    tracks = Gate(page, "**/devices/anna/fixes?*")
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    visit(page, "map")
    tracks.wait()
    wait_on(page, lambda: scale(page) <= 100)
    visit(page, "fences")
    page.set_viewport_size({"width": 390, "height": 700})
    page.wait_for_function("() => innerHeight === 700")
    # The map learns the size with the next frame.
    drawn_scale(page)
    tracks.open()
    expect(page.locator("#map .hint[role=status]")).to_contain_text("5 points")
    visit(page, "map")
    wait_on(page, lambda: scale(page) >= 1000)
