"""Fences: making, editing and removing them, by pointer and by keyboard alone, and files."""

import json
import re
import time

import pytest
from playwright.sync_api import expect

from conftest import HOME, ZONE, Gate, visit, wait_on
from daemon import METRES, circle, walk


def open_fences(page):
    visit(page, "fences")


def hold_fences(browser, daemon):
    """Opens the fences of a device with a location, and holds what is asked of them from then on."""
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    with page.expect_response("**/api/v1/fences"):
        visit(page, "fences")
    return page, Gate(page, "**/api/v1/fences")


def begin_drawing(page, kind):
    """Begins a drawing, and waits until it takes clicks and the map has its size."""
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name=kind).click()
    page.get_by_role("button", name="Done").wait_for()


def press_to(page, name):
    """Moves the focus by the keyboard alone to an element with a name."""
    for _ in range(300):
        page.keyboard.press("Tab")
        found = page.evaluate(
            "() => document.activeElement.getAttribute('aria-label') ?? document.activeElement.labels?.[0]?.textContent"
            " ?? document.activeElement.textContent")
        if found.strip() == name:
            return
    raise AssertionError(f"the keyboard does not reach {name}")


def test_without_a_location_no_fence_is_made(browser, daemon):
    page = browser.open()
    open_fences(page)
    page.get_by_role("button", name="Fence here").click()
    expect(page.locator("#fences .notice")).to_contain_text("no location yet")
    assert daemon.features() == []


def test_view_shows_what_another_program_has_changed(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    with page.expect_response("**/api/v1/fences"):
        page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("Last known place")
    daemon.set_fences(circle("home", **HOME))
    open_fences(page)
    expect(page.get_by_role("button", name="Edit home")).to_be_visible()


def test_a_fence_is_tried_on_the_last_week_before_it_is_saved(browser, daemon, shots):
    daemon.send_fixes("anna", walk(**HOME, distances=[0] * 5 + list(range(0, 600, 20)) + [600] * 5))
    daemon.set_fences(circle("home", **HOME))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    open_fences(page)
    page.get_by_role("button", name="Edit home").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Try on the last week").click()
    expect(dialog.locator(".trial")).to_contain_text("0 × arrived, 1 × left")
    expect(dialog.locator(".trial li")).to_have_count(1)
    expect(dialog.locator(".trial li")).to_contain_text("Left: ")
    shots(page, "trial")
    # A circle around the whole walk has no crossing.
    dialog.get_by_label("Radius, in metres").fill("5000")
    dialog.get_by_role("button", name="Try on the last week").click()
    expect(dialog.locator(".trial")).to_contain_text("0 × arrived, 0 × left")
    dialog.get_by_role("button", name="Cancel").click()
    assert daemon.features()[0]["properties"]["radius"] != 5000


def glide(page, key):
    """Moves the map by a key, and waits until it stands still."""
    pane = page.locator(".leaflet-map-pane")
    before = pane.evaluate("pane => pane.style.transform")
    page.keyboard.press(key)
    page.wait_for_function(
        """([pane, before]) => pane.style.transform !== before && !pane.classList.contains("leaflet-pan-anim")""",
        arg=[pane.element_handle(), before])


def test_polygon_is_drawn_edited_and_removed_by_keyboard_alone(browser, daemon, shots):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open(viewport={"width": 390, "height": 844})
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("Last known place")
    press_to(page, "Fences")
    page.keyboard.press("Enter")
    press_to(page, "Draw")
    page.keyboard.press("Enter")
    press_to(page, "Area")
    page.keyboard.press("Enter")
    # The map has the focus at once.
    expect(page.locator(".map-canvas")).to_be_focused()
    corners = page.locator(".sketch-status")
    for number, key in enumerate(["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"], start=1):
        page.keyboard.press("Enter")
        expect(corners).to_contain_text("1 corner" if number == 1 else f"{number} corners")
        glide(page, key)
    page.keyboard.press("Enter")
    expect(corners).to_contain_text("5 corners")
    page.keyboard.press("Backspace")
    expect(corners).to_contain_text("4 corners, ")
    shots(page, "drawing")
    press_to(page, "Done")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
    page.keyboard.type("Garden")
    page.keyboard.press("Enter")
    expect(page.locator("#fences .notice")).to_have_text("Saved: Garden")
    # Its end returns the focus.
    expect(page.locator("dialog")).to_have_count(0)
    feature = daemon.features()[0]
    assert feature["geometry"]["type"] == "Polygon"
    assert len(feature["geometry"]["coordinates"][0]) == 5

    press_to(page, "Edit Garden")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("Orchard")
    page.keyboard.press("Enter")
    expect(page.locator("#fences .notice")).to_have_text("Saved: Orchard")
    expect(page.locator("dialog")).to_have_count(0)
    assert daemon.features()[0]["properties"]["name"] == "Orchard"

    press_to(page, "Edit Orchard")
    page.keyboard.press("Enter")
    press_to(page, "Remove")
    page.keyboard.press("Enter")
    press_to(page, "Remove")
    page.keyboard.press("Enter")
    expect(page.locator("#fences .notice")).to_have_text("Removed: Orchard")
    assert daemon.features() == []


def test_track_that_comes_late_does_not_move_the_map_under_a_drawing(browser, daemon):
    """The track of the open trip is shown by itself when the map is first seen, which may be when a drawing begins."""
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 500, 100)))
    page = browser.open(service_workers="block", viewport={"width": 390, "height": 844})
    tracks = Gate(page, "**/devices/anna/fixes?*")
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("Last known place")
    open_fences(page)
    begin_drawing(page, "Area")
    canvas = page.locator(".map-canvas")
    for x, y in [(150, 150), (250, 150), (250, 250)]:
        canvas.click(position={"x": x, "y": y})
    tracks.wait()
    tracks.open()
    expect(page.locator("#map .hint[role=status]")).to_have_text("5 points, 0 gaps")
    canvas.click(position={"x": 150, "y": 250})
    page.get_by_role("button", name="Done").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Yard")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_have_text("Saved: Yard")
    corners = daemon.features()[0]["geometry"]["coordinates"][0]
    # The sides are as they were pressed: along the parallels and the meridians.
    assert [len({corner[axis] for corner in corners}) for axis in (0, 1)] == [2, 2]


def test_drawing_at_the_location_stays_where_a_track_comes_late(browser, daemon):
    """The person goes to the location in the midst of a drawing. The cross stays there."""
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 5000, 500), interval=60))
    page = browser.open(viewport={"width": 390, "height": 844})
    tracks = Gate(page, "**/devices/anna/fixes?*")
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("Last known place")
    open_fences(page)
    begin_drawing(page, "Circle")
    page.get_by_role("button", name="Go to the location").click()
    tracks.wait()
    tracks.open()
    expect(page.locator("#map .hint[role=status]")).to_contain_text("10 points")
    page.get_by_role("button", name="Done").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Here")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_have_text("Saved: Here")
    longitude, latitude = daemon.features()[0]["geometry"]["coordinates"]
    assert abs(latitude - HOME["latitude"] - 4500 * METRES) < 20 * METRES
    assert abs(longitude - HOME["longitude"]) < 40 * METRES


def test_circle_and_corridor_are_drawn_by_pointer(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    open_fences(page)
    begin_drawing(page, "Circle")
    page.locator(".map-canvas").click(position={"x": 200, "y": 200})
    page.get_by_role("button", name="Done").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Ring")
    dialog.get_by_label("Radius, in metres").fill("120.5")
    dialog.get_by_label("Record", exact=True).select_option("each arrival")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_have_text("Saved: Ring")
    begin_drawing(page, "Corridor")
    for x, y in [(150, 150), (300, 250), (500, 200)]:
        page.locator(".map-canvas").click(position={"x": x, "y": y})
    page.get_by_role("button", name="Done").click()
    dialog.get_by_label("Name").fill("Way")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_have_text("Saved: Way")
    ring, way = daemon.features()
    assert ring["properties"]["radius"] == 120.5 and ring["properties"]["notify"] in ("enter", ["enter"])
    assert way["geometry"]["type"] == "LineString" and len(way["geometry"]["coordinates"]) == 3


def test_drawing_ends_with_the_view_on_a_narrow_screen(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open(viewport={"width": 390, "height": 844})
    page.get_by_label("Device", exact=True).select_option("anna")
    for leave, view in [(page.go_back, "fences"), (lambda: visit(page, "record"), "record")]:
        open_fences(page)
        page.get_by_role("button", name="Draw").click()
        page.get_by_role("button", name="Circle").click()
        expect(page.get_by_role("button", name="Done")).to_be_visible()
        leave()
        expect(page.get_by_role("button", name="Done")).to_be_hidden()
        expect(page.locator(f"#{view}")).to_be_visible()
        assert page.url.endswith(f"#{view}")


def test_terms_that_the_page_does_not_show_stay(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home", dwell="10m", hysteresisMargin=25, gate=7))
    page = browser.open()
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    page.get_by_role("dialog").get_by_label("Radius, in metres").fill("75")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#fences li")).to_contain_text("circle, 75 m")
    properties = daemon.features()[0]["properties"]
    assert properties["radius"] == 75 and properties["hysteresisMargin"] == 25 and properties["gate"] == 7
    assert "dwell" in properties


def test_refused_form_keeps_its_input(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    open_fences(page)
    page.get_by_role("button", name="Fence here").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("The garden")
    dialog.get_by_text("More terms").click()
    dialog.get_by_label("Only in these hours").fill("nonsense")
    dialog.get_by_role("button", name="Save").click()
    problem = dialog.get_by_role("alert")
    expect(problem).to_contain_text("Please check “Only in these hours”")
    expect(problem).to_be_in_viewport()
    assert "column" not in problem.inner_text() and "activeHours" not in problem.inner_text()
    expect(dialog.get_by_label("Name")).to_have_value("The garden")
    # Another person's change of another fence overwrites nothing, so the same can be saved again.
    daemon.set_fences(circle("home", **HOME, name="Home"))
    dialog.get_by_label("Only in these hours").fill("Mo-Fr 07:00-18:00")
    dialog.get_by_role("button", name="Save").click()
    expect(problem).to_contain_text("Somebody has changed the fences")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_have_text("Saved: The garden")
    assert {feature["id"] for feature in daemon.features()} == {"home", "The garden"}


def test_button_whose_action_is_refused_keeps_the_focus(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open()
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("More terms").click()
    dialog.get_by_label("Only in these hours").fill("sometimes")
    dialog.get_by_role("button", name="Save").press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("Please check")
    expect(dialog.get_by_role("button", name="Save")).to_be_focused()
    # As of a link that has ended.
    page = browser.open("none", path="/#token=wht_wrong")
    show = page.get_by_role("button", name="Show")
    show.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("has ended")
    expect(show).to_be_focused()


def test_change_by_somebody_else_is_not_overwritten(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open()
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    daemon.set_fences(circle("home", **HOME, name="Changed"))
    page.get_by_role("dialog").get_by_label("Name").fill("Mine")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_contain_text("Somebody has changed the fences")
    expect(page.locator("#fences li")).to_contain_text("Changed")
    assert daemon.features()[0]["properties"]["name"] == "Changed"


def test_change_by_somebody_else_is_not_overwritten_when_the_fences_were_read_again(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0] * 5, end=time.time() - 300))
    daemon.set_fences(circle("home", **HOME, name="Home", radius=50))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    daemon.set_fences(circle("home", **HOME, name="Changed", radius=50))
    # A crossing makes the page read the fences.
    with page.expect_response("**/api/v1/fences"):
        daemon.send_fixes("anna", walk(**HOME, distances=range(20, 600, 20)))
    expect(page.locator("#fences li")).to_contain_text("Changed")
    page.get_by_role("dialog").get_by_label("Name").fill("Mine")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_contain_text("Somebody has changed the fences")
    assert daemon.features()[0]["properties"]["name"] == "Changed"


def test_back_closes_a_form_and_keeps_the_view(browser, daemon):
    daemon.set_fences(circle("home", **HOME))
    page = browser.open(viewport={"width": 390, "height": 844})
    visit(page, "now")
    visit(page, "fences")
    dialog = page.get_by_role("dialog")
    for name in ["Edit home", "Draw"]:
        page.get_by_role("button", name=name).click()
        expect(dialog).to_be_visible()
        page.go_back()
        expect(dialog).to_have_count(0)
        expect(page.locator("#fences")).to_be_visible()
    page.go_back()
    expect(page.locator("#now")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/#fences"])
def test_back_closes_a_form_of_the_first_view(browser, daemon, path):
    daemon.set_fences(circle("home", **HOME))
    page = browser.context().new_page()
    page.goto("about:blank")
    page.goto(daemon.url + path)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.locator("#source").wait_for()
    dialog = page.get_by_role("dialog")
    for _ in range(2):
        page.get_by_role("button", name="Settings").click()
        expect(dialog).to_be_visible()
        page.evaluate("history.back()")
        expect(dialog).to_have_count(0)
        assert page.url == daemon.url + path
        expect(page.locator("#fences" if "#" in path else "#now")).to_be_visible()
    page.go_back()
    assert page.url == "about:blank"


def test_files_are_imported_and_exported(browser, daemon, tmp_path):
    page = browser.open()
    open_fences(page)
    file = tmp_path / "places.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [circle("a", **HOME, name="Alpha")]}))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("#fences .notice")).to_have_text("Added 1, replaced 0, unchanged 0")
    expect(page.locator("#fences li")).to_contain_text("Alpha")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export as GeoJSON").click()
    exported = json.loads(download.value.path().read_text())
    assert [feature["id"] for feature in exported["features"]] == ["a"]
    file.write_text("nothing of the kind")
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("#fences .notice")).to_contain_text("Not done")
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [circle("b", 95, 0), circle("c", 0, 0, 0)]}))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("#fences .notice")).to_contain_text("; line 1, column ")
    assert len(daemon.features()) == 1


def test_fences_that_are_not_read_are_not_exported(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open("none")
    gate = Gate(page, "**/api/v1/fences")
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    open_fences(page)
    gate.wait()
    export = page.get_by_role("button", name="Export as GeoJSON")
    expect(page.get_by_role("button", name="Import a file")).to_be_visible()
    expect(export).to_be_hidden()
    gate.open()
    expect(export).to_be_visible()


def test_area_around_a_pole_is_the_smaller_part_of_the_earth(browser, daemon):
    daemon.set_fences({
        "type": "Feature", "id": "ice", "properties": {"name": "Ice"}, "geometry": {"type": "Polygon", "coordinates": [
            [[180, 60], [180, 90], [-180, 90], [-180, 60], [180, 60]]]}})
    page = browser.open()
    open_fences(page)
    # Of the cap beyond 60° of latitude, whose share of a sphere is (1 - sin 60°) / 2.
    expect(page.locator("#fences li")).to_contain_text(re.compile(r"area, 34,1\d\d,\d\d\d"))


def test_points_without_a_radius_get_one(browser, daemon, tmp_path):
    page = browser.open()
    open_fences(page)
    file = tmp_path / "places.gpx"
    file.write_text(
        '<gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1">'
        '<wpt lat="52.5" lon="13.4"><name>Bench</name></wpt></gpx>')
    dialog = page.get_by_role("dialog")
    page.locator("input[type=file]").set_input_files(file)
    expect(dialog.get_by_label("Radius", exact=True)).to_have_value("100")
    dialog.get_by_role("button", name="Cancel").click()
    # What the person has chosen is no problem.
    expect(page.locator("#fences .notice")).to_have_text("Nothing was imported.")
    expect(page.locator("#fences .notice.bad")).to_have_count(0)
    assert daemon.features() == []
    page.locator("input[type=file]").set_input_files(file)
    dialog.get_by_label("Radius, in metres").fill("80")
    dialog.get_by_role("button", name="Import a file").click()
    expect(page.locator("#fences .notice")).to_have_text("Added 1, replaced 0, unchanged 0")
    assert [feature["properties"]["radius"] for feature in daemon.features()] == [80]


def test_file_without_fences_is_said_so(browser, daemon, tmp_path):
    page = browser.open()
    open_fences(page)
    file = tmp_path / "places.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": []}))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("#fences .notice")).to_have_text("The file has no fences.")


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "UTF-16"])
def test_file_is_imported_in_the_encoding_that_it_states(browser, daemon, tmp_path, encoding):
    page = browser.open()
    open_fences(page)
    file = tmp_path / "places.kml"
    file.write_bytes(
        f'<?xml version="1.0" encoding="{encoding}"?><kml xmlns="http://www.opengis.net/kml/2.2"><Placemark>'
        '<name>Café</name><ExtendedData><Data name="radius"><value>80</value></Data></ExtendedData>'
        '<Point><coordinates>13.4,52.5</coordinates></Point></Placemark></kml>'.encode(encoding))
    page.locator("input[type=file]").set_input_files(file)
    expect(page.locator("#fences .notice")).to_have_text("Added 1, replaced 0, unchanged 0")
    assert [feature["properties"]["name"] for feature in daemon.features()] == ["Café"]


def test_result_of_an_import_is_in_view(browser, daemon, tmp_path):
    daemon.set_fences(*(circle(f"fence {number}", **HOME) for number in range(30)))
    page = browser.open(viewport={"width": 390, "height": 844})
    open_fences(page)
    file = tmp_path / "places.geojson"
    for text, result in [
        (json.dumps({"type": "FeatureCollection", "features": [circle("a", **HOME)]}), "Added 1"), ("nothing", "Not done")]:
        page.get_by_role("button", name="Import a file").scroll_into_view_if_needed()
        file.write_text(text)
        page.locator("input[type=file]").set_input_files(file)
        expect(page.locator("#fences .notice")).to_contain_text(result)
        expect(page.locator("#fences .notice")).to_be_in_viewport()


def test_reader_sees_fences_and_changes_none(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", walk(**HOME, distances=[0]))
    page = browser.open(daemon.create_token("--device", "anna", "--read"))
    expect(page.get_by_label("Device", exact=True)).to_have_value("anna")
    expect(page.get_by_label("Device", exact=True).locator("option")).to_have_count(1)
    open_fences(page)
    expect(page.locator("#fences li")).to_contain_text("Home")
    expect(page.get_by_text("Only an administrator's token may change fences.")).to_be_visible()
    for name in ["Fence here", "Draw", "Import a file", "Edit Home"]:
        expect(page.locator("#fences").get_by_role("button", name=name)).to_be_hidden()


def test_terms_are_shown_in_words_and_edited(browser, daemon, shots):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    daemon.set_fences(
        circle("home", **HOME, name="Home", dwell=600, hysteresisMargin=20, enterConfidence=0.99, exitConfidence=0.99,
               activeHours=["Mo-Fr 07:00-18:00"], timeZone="Europe/Berlin"),
        circle("plain", **HOME, name="Plain"),
        circle("first", **HOME, name="First", notify=["enter"], once=True, expiry="2101-03-04T12:00:00Z"),
        circle("stays", **HOME, name="Stays", notify=["dwell"], dwell=600))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    open_fences(page)
    home, plain = page.locator("#fences li", has_text="Home"), page.locator("#fences li", has_text="Plain")
    expect(home).to_contain_text("stay of 10 min")
    expect(home).to_contain_text("only Mo-Fr 07:00-18:00 (Europe/Berlin)")
    expect(home).to_contain_text("from 99% certain")
    expect(home).to_contain_text("margin 20 m")
    expect(plain.locator(".detail").last).to_have_text("each arrival and leaving")
    first = page.locator("#fences li", has_text="First")
    expect(first).to_contain_text("once: arrival")
    expect(first).to_contain_text("2101")
    expect(page.locator("#fences li", has_text="Stays")).to_contain_text("each time: stay")
    dialog = page.get_by_role("dialog")
    # Saved as it is, nothing changes.
    before = daemon.features()
    page.get_by_role("button", name="Edit Home").click()
    shots(page, "terms")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_contain_text("Saved: Home")
    assert daemon.features() == before
    page.get_by_role("button", name="Edit Plain").click()
    dialog.get_by_text("More terms").click()
    dialog.get_by_label("Record a stay after minutes").fill("5")
    dialog.get_by_label("Only in these hours").fill("Sa,Su 10:00-20:00; Mo 08:00-09:00")
    dialog.get_by_label("How certain").select_option("0.8")
    dialog.get_by_label("Margin in metres").fill("15")
    dialog.get_by_role("button", name="Save").click()
    expect(plain).to_contain_text("stay of 5 min")
    stored = next(feature for feature in daemon.features() if feature["id"] == "plain")["properties"]
    assert stored["dwell"] == 300 and stored["hysteresisMargin"] == 15 and stored["timeZone"] == ZONE
    assert stored["enterConfidence"] == stored["exitConfidence"] == 0.8
    # Hours that the server does not read change nothing.
    page.get_by_role("button", name="Edit Plain").click()
    dialog.get_by_label("Only in these hours").fill("sometimes <b>")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("alert")).to_contain_text("Please check “Only in these hours”")
    dialog.get_by_role("button", name="Cancel").click()
    # Without terms it is the usual fence again.
    page.get_by_role("button", name="Edit Plain").click()
    for label in ("Record a stay after minutes", "Only in these hours"):
        dialog.get_by_label(label).fill("")
    dialog.get_by_label("Margin in metres").fill("0")
    dialog.get_by_label("How certain").select_option("0.95")
    dialog.get_by_role("button", name="Save").click()
    expect(plain).not_to_contain_text("stay")
    stored = next(feature for feature in daemon.features() if feature["id"] == "plain")["properties"]
    assert not {"dwell", "activeHours", "timeZone", "hysteresisMargin", "enterConfidence"} & set(stored), stored


def test_fence_that_records_nothing_stays_so(browser, daemon):
    daemon.set_fences(
        circle("none", **HOME, name="None", notify=[]), circle("stay", **HOME, name="Stay", notify=["dwell"], dwell=600))
    page = browser.open()
    open_fences(page)
    expect(page.locator("#fences li", has_text="None").locator(".detail").last).to_have_text("nothing")
    dialog = page.get_by_role("dialog")
    before = daemon.features()
    page.get_by_role("button", name="Edit None").click()
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_contain_text("Saved: None")
    assert daemon.features() == before
    page.get_by_role("button", name="Edit Stay").click()
    dialog.get_by_label("Record a stay after minutes").fill("")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences li", has_text="Stay").locator(".detail").last).to_have_text("nothing")
    stored = next(feature for feature in daemon.features() if feature["id"] == "stay")["properties"]
    assert stored["notify"] == [] and "dwell" not in stored


@pytest.mark.parametrize("locale,never", [("en-GB", "never"), ("de-DE", "nie")])
def test_fence_without_active_hours_says_so(browser, daemon, locale, never):
    daemon.set_fences(circle("home", **HOME, name="Home", activeHours=[]))
    page = browser.open(locale=locale)
    open_fences(page)
    home, dialog = page.locator("#fences li"), page.get_by_role("dialog")
    text = {"never": "at no time", "nie": "zu keiner Zeit"}[never]
    expect(home).to_contain_text(text)
    hours = dialog.locator("input[placeholder^=Mo-Fr]")

    def save(value=None):
        home.get_by_role("button").last.click()
        expect(hours).to_be_visible()
        if value is not None:
            hours.fill(value)
        dialog.locator("button[type=submit]").click()
        expect(dialog).to_have_count(0)
        return daemon.features()[0]["properties"]

    before = daemon.features()[0]["properties"]
    assert save() == before and before["activeHours"] == []
    assert save("Mo 08:00-09:00")["activeHours"] == ["Mo 08:00-09:00"]
    assert save(never.upper())["activeHours"] == []
    expect(home).to_contain_text(text)
    assert "activeHours" not in save("")
    expect(home).not_to_contain_text(text)


def test_fence_that_is_saved_again_is_told_again(browser, daemon):
    """A screen reader hears a text that changes."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open()
    open_fences(page)
    notice, dialog = page.locator("#fences .notice"), page.get_by_role("dialog")
    for _ in range(2):
        page.get_by_role("button", name="Edit Home").click()
        expect(dialog).to_be_visible()
        expect(notice).to_be_empty()
        dialog.get_by_role("button", name="Save").click()
        expect(notice).to_have_text("Saved: Home")


def test_number_that_is_emptied_is_not_kept(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home", hysteresisMargin=20))
    page = browser.open()
    open_fences(page)
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Edit Home").click()
    radius = dialog.get_by_label("Radius, in metres")
    radius.fill("")
    dialog.get_by_label("Margin in metres").fill("")
    dialog.get_by_role("button", name="Save").click()
    # A fence has a radius.
    expect(radius).to_be_focused()
    expect(dialog).to_be_visible()
    radius.fill("80")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences li .detail").last).to_have_text("each arrival and leaving")
    stored = daemon.features()[0]["properties"]
    assert stored["radius"] == 80 and "hysteresisMargin" not in stored


def test_fences_of_unusual_sizes_are_edited(browser, daemon):
    daemon.set_fences(
        circle("small", **HOME, radius=0.5, name="Small"), circle("short", **HOME, name="Short", dwell=30),
        circle("long", **HOME, name="Long", dwell="200d"))
    before = {feature["id"]: feature["properties"] for feature in daemon.features()}
    page = browser.open()
    open_fences(page)
    dialog = page.get_by_role("dialog")
    for name in ["Small", "Short", "Long"]:
        page.get_by_role("button", name=f"Edit {name}").click()
        dialog.get_by_label("Name").fill(f"New {name}")
        dialog.get_by_role("button", name="Save").click()
        expect(page.locator("#fences .notice")).to_have_text(f"Saved: New {name}")
        before[name.lower()]["name"] = f"New {name}"
    assert {feature["id"]: feature["properties"] for feature in daemon.features()} == before


def test_durations_of_terms_are_not_rounded(browser, daemon):
    daemon.set_fences(
        circle("short", **HOME, name="Short", dwell=90, enterDwell=0.5, exitDwell=100),
        circle("long", **HOME, name="Long", dwell=216_000, enterDwell=5_430, exitDwell=172_799),
        circle("none", **HOME, name="None", dwell=0), circle("third", **HOME, name="Third", dwell=100))
    page = browser.open()
    open_fences(page)
    for name, durations in [
        ("Short", ["1 min 30 s", "0.5 s", "1 min 40 s"]), ("Long", ["2 days 12 h", "1 h 30 min 30 s", "47 h 59 min 59 s"]),
        ("None", ["0 s"])]:
        for duration in durations:
            details = page.locator("#fences li", has_text=name).locator(".detail").last
            expect(details).to_contain_text(re.compile(rf"(of|after) {duration}( ·|$)"))
    dialog = page.get_by_role("dialog")
    before = daemon.features()
    for name, minutes in [("Short", "1.5"), ("None", "0"), ("Third", "1.666667")]:
        page.get_by_role("button", name=f"Edit {name}").click()
        expect(dialog.get_by_label("Record a stay after minutes")).to_have_value(minutes)
        dialog.get_by_role("button", name="Save").click()
        expect(page.locator("#fences .notice")).to_have_text(f"Saved: {name}")
    assert daemon.features() == before


def test_refused_value_in_a_closed_part_of_the_form_is_shown(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open()
    open_fences(page)
    dialog = page.get_by_role("dialog")
    page.get_by_role("button", name="Edit Home").click()
    margin, title = dialog.get_by_label("Margin in metres"), dialog.get_by_text("More terms")
    title.click()
    margin.fill("-5")
    title.click()
    expect(margin).to_be_hidden()
    dialog.get_by_role("button", name="Save").click()
    expect(margin).to_be_focused()


def test_a_fence_is_drawn_again(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home", hysteresisMargin=20))
    page = browser.open()
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    page.get_by_role("dialog").get_by_role("button", name="Draw again").click()
    expect(page.locator(".map-canvas")).to_be_focused()
    glide(page, "ArrowUp")
    page.locator(".toolbar").get_by_role("button", name="Done").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_contain_text("Saved: Home")
    feature, = daemon.features()
    assert feature["geometry"]["coordinates"][1] > HOME["latitude"] + 1e-5
    assert feature["id"] == "home" and feature["properties"]["radius"] == 100
    assert feature["properties"]["hysteresisMargin"] == 20


def test_focus_returns_to_what_opened_a_form(browser, daemon):
    """Also where the list has been drawn anew meanwhile, and its buttons are others."""
    daemon.set_fences(circle("home", **HOME, name="Home"), circle("park", **HOME, name="Park"))
    page = browser.open()
    open_fences(page)
    dialog = page.get_by_role("dialog")
    edit = page.get_by_role("button", name="Edit Home")
    edit.click()
    dialog.get_by_label("Radius", exact=True).fill("70")
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(edit).to_be_focused()
    daemon.set_fences(circle("park", **HOME, name="Park", radius=40))
    page.evaluate("import('/page/state.js').then(({ state }) => state.loadFences())")
    expect(page.locator("#fences")).to_contain_text("circle, 40 m")
    expect(edit).to_be_focused()
    page.keyboard.press("Enter")
    dialog.get_by_label("Name").fill("House")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Edit House")).to_be_focused()
    for name, left in [("House", page.get_by_role("button", name="Edit Park")), ("Park", page.locator("#fences h1"))]:
        page.get_by_role("button", name=f"Edit {name}").click()
        dialog.get_by_role("button", name="Remove").click()
        dialog.last.get_by_role("button", name="Remove").click()
        expect(left).to_be_focused()


def test_view_that_is_left_before_a_drawing_begins_stays_left(browser, daemon):
    page = browser.open(viewport={"width": 390, "height": 844}, service_workers="block")
    visit(page, "fences")
    gate = Gate(page, "**/page/sketch.js")
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="Circle").click()
    gate.wait()
    visit(page, "record")
    gate.open()
    page.wait_for_timeout(700)
    expect(page.locator("#record h1")).to_be_visible()
    assert page.evaluate("document.body.dataset.sketching") is None


def test_two_presses_open_one_form(browser, daemon):
    page, gate = hold_fences(browser, daemon)
    button = page.locator("#fences").get_by_role("button", name="Fence here")
    button.click()
    button.click()
    gate.wait()
    page.wait_for_timeout(500)
    gate.open()
    expect(page.get_by_role("dialog")).to_have_count(1)
    page.wait_for_timeout(500)
    assert page.locator("dialog").count() == 1
    # A form that comes late does not cover the view that the person has gone to.
    gate.close()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    button.click()
    visit(page, "now")
    gate.wait()
    page.wait_for_timeout(500)
    gate.open()
    page.wait_for_timeout(500)
    assert page.locator("dialog").count() == 0


def test_token_that_ends_with_a_press_leads_to_signing_in_alone(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open(service_workers="block")
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    with page.expect_response("**/api/v1/fences"):
        visit(page, "fences")
    page.route("**/api/v1/fences", lambda route: route.fulfill(status=401, body="{}"))
    page.get_by_role("button", name="Fence here").click()
    expect(page.locator("input[name=token]")).to_be_visible()
    page.wait_for_timeout(500)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_file_that_cannot_be_read_is_said_so(browser, daemon):
    page = browser.open()
    visit(page, "fences")
    page.evaluate("File.prototype.text = () => Promise.reject(new DOMException('', 'NotFoundError')); 0")
    page.locator("input[type=file]").set_input_files({"name": "a.geojson", "mimeType": "application/geo+json", "buffer": b"{}"})
    expect(page.locator("#fences .notice")).to_contain_text("Not done")


def test_drawing_that_is_overtaken_by_another_does_not_end_it(browser, daemon):
    page = browser.open(viewport={"width": 390, "height": 844}, service_workers="block")
    script = Gate(page, "**/page/sketch.js")
    for kind in ["Circle", "Area"]:
        open_fences(page)
        page.get_by_role("button", name="Draw").click()
        page.get_by_role("button", name=kind).click()
        expect(page.locator("#map")).to_be_visible()
        script.wait()
    # Until the second one waits for the script, too.
    page.wait_for_timeout(500)
    script.open()
    expect(page.locator(".sketch-status")).to_have_text("0 corners")
    page.wait_for_timeout(500)
    expect(page.locator(".sketch-status")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#fences")).to_be_visible()


def test_shape_that_is_drawn_again_begins_under_the_cross(browser, daemon):
    """The tools below the map leave it less room."""
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open(viewport={"width": 390, "height": 844})
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    page.get_by_role("dialog").get_by_role("button", name="Draw again").click()
    page.get_by_role("button", name="Done").click()
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_contain_text("Saved: Home")
    longitude, latitude = daemon.features()[0]["geometry"]["coordinates"]
    assert abs(latitude - HOME["latitude"]) < 3 * METRES and abs(longitude - HOME["longitude"]) < 5 * METRES


def test_view_that_is_left_before_a_shape_is_drawn_again_stays_left(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open(viewport={"width": 390, "height": 844}, service_workers="block")
    script = Gate(page, "**/page/map.js")
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    page.get_by_role("dialog").get_by_role("button", name="Draw again").click()
    script.wait()
    visit(page, "record")
    script.open()
    expect(page.locator(".leaflet-pane").first).to_be_attached()
    page.wait_for_timeout(500)
    expect(page.locator("#record h1")).to_be_visible()


def test_fence_that_is_cancelled_leaves_a_map_that_is_not_shown(browser, daemon):
    """As where the phone is turned while the form is open."""
    page = browser.open(geolocation={**HOME, "accuracy": 5})
    # The map tells its layers to the test.
    page.evaluate("import('/page/map.js').then(({ MapView }) => {"
                  " const show = MapView.prototype.setPreview;"
                  " MapView.prototype.setPreview = function (feature) { window.previewed = feature; show.call(this, feature); }; })")
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .status")).to_contain_text("Found")
    open_fences(page)
    page.get_by_role("button", name="Fence here").click()
    page.wait_for_function("() => window.previewed")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.locator(".map-pane")).to_be_hidden()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    page.wait_for_function("() => window.previewed === null")


def test_form_that_comes_late_does_not_cover_another(browser, daemon):
    page, gate = hold_fences(browser, daemon)
    page.get_by_role("button", name="Fence here").click()
    gate.wait()
    page.get_by_role("button", name="Settings").click()
    gate.open()
    page.wait_for_timeout(500)
    assert page.locator("dialog").count() == 1


def test_form_that_is_given_up_while_it_is_saved_changes_nothing(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open()
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    gate = Gate(page, "**/api/v1/fences", lambda request: request.method == "POST")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("House")
    dialog.get_by_role("button", name="Save").click()
    gate.wait()
    with page.expect_event("requestfailed", lambda request: request.method == "POST"):
        dialog.get_by_role("button", name="Cancel").click()
    gate.open()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="Edit Home").click()
    dialog.get_by_label("Radius, in metres").fill("70")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_have_text("Saved: Home")
    assert [feature["properties"]["name"] for feature in daemon.features()] == ["Home"]


def test_change_that_the_server_took_before_its_form_was_given_up_is_shown(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    page = browser.open()
    open_fences(page)
    page.get_by_role("button", name="Edit Home").click()
    taken = []
    page.route(
        "**/api/v1/fences",
        lambda route: taken.append(route.fetch()) if route.request.method == "POST" else route.continue_())
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("House")
    dialog.get_by_role("button", name="Save").click()
    wait_on(page, lambda: taken)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Edit House")).to_be_focused()


@pytest.mark.parametrize("width", [390, 1280], ids=["phone", "desktop"])
def test_drawing_that_cannot_be_loaded_is_said_so(browser, daemon, width):
    page = browser.open(viewport={"width": width, "height": 844})
    page.route("**/page/sketch.js*", lambda route: route.abort())
    open_fences(page)
    page.get_by_role("button", name="Draw").click()
    page.get_by_role("button", name="Circle").click()
    notice = page.locator("#fences .notice")
    expect(notice).to_contain_text("The tools for drawing could not be loaded. Check the connection")
    expect(notice).to_be_in_viewport()
    page.unroute("**/page/sketch.js*")
    begin_drawing(page, "Circle")


def test_fence_whose_answer_is_lost_is_made_once(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    page.get_by_role("button", name="Fence here").click()
    lost = []

    def lose(route):
        if lost or route.request.method != "POST":
            return route.continue_()
        lost.append(route.fetch())
        route.abort()

    page.route("**/api/v1/fences", lose)
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Home")
    dialog.get_by_role("button", name="Save").click()
    expect(page.locator("#fences .notice")).to_have_text("Saved: Home")
    expect(dialog).to_have_count(0)
    assert lost and [feature["id"] for feature in daemon.features()] == ["Home"]


def test_field_that_filters_the_fences_stays_while_it_does(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"), *(circle(f"park{number}", **HOME) for number in range(10)))
    page = browser.open()
    open_fences(page)
    field, entries, dialog = page.get_by_label("Find a fence"), page.locator("#fences li"), page.get_by_role("dialog")
    field.fill("home")
    page.get_by_role("button", name="Edit Home").click()
    dialog.get_by_role("button", name="Remove").click()
    dialog.last.get_by_role("button", name="Remove").click()
    expect(page.locator("#fences .notice")).to_have_text("Removed: Home")
    expect(entries).to_have_count(0)
    expect(page.get_by_text("No fence has this name.")).to_be_visible()
    field.fill("")
    expect(entries).to_have_count(10)


@pytest.mark.parametrize("width", [390, 1280], ids=["phone", "desktop"])
def test_focus_stays_on_the_page_after_a_drawing(browser, daemon, width):
    page = browser.open(viewport={"width": width, "height": 844})
    open_fences(page)
    dialog, focused = page.get_by_role("dialog"), page.locator("#fences h1" if width == 390 else ".map-canvas")
    for end in ["key", "button"]:
        begin_drawing(page, "Circle")
        if end == "key":
            page.keyboard.press("Escape")
        else:
            page.get_by_role("button", name="Cancel").press("Enter")
        expect(focused).to_be_focused()
        begin_drawing(page, "Circle")
        if end == "key":
            page.keyboard.press("Enter")
        else:
            page.get_by_role("button", name="Done").press("Enter")
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(focused).to_be_focused()
