"""What other readers of a device get of a day."""

import json
import re
import subprocess
import time

from playwright.sync_api import expect

from conftest import HOME, Gate, press_until, visit, wait_on
from daemon import circle, there_and_away, wait_until, walk

PHONE = {"viewport": {"width": 360, "height": 720}}


def open_map(browser, **options):
    page = browser.open(**options)
    page.get_by_label("Device", exact=True).select_option("anna")
    if page.locator('nav a[href="#map"]').is_visible():
        visit(page, "map")
    return page


def test_a_day_as_others_see_it(browser, daemon, shots):
    secret = daemon.create_token("--device", "anna", "--read", "--accuracy-cap", "500m", "--label", "<i>Kin</i>")
    subprocess.run(
        [daemon.program, "zone", "add", "home", "--at", f"{HOME['latitude']},{HOME['longitude']}", "--radius", "200m",
         "--device", "anna", "--store", daemon.store], check=True, stdout=subprocess.DEVNULL)
    # Far away, in half an hour, so that some fixes are out of the zone's cover.
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 4000, 20)))
    # The daemon learns of the zone within a second, unless the machine is slow.
    wait_until(lambda: len(daemon.get("/api/v1/devices/anna/fixes", token=secret)["fixes"]) < 200)
    page = open_map(browser, **PHONE)
    # The panel with the fields lies beside or under the map.
    choice = page.get_by_label("Seen by")
    expect(choice).to_be_visible()
    expect(choice.locator("option")).to_have_text(["You", "<i>Kin</i>, no better than 500 m"])
    page.locator("#map").get_by_label("Day").select_option(index=1)
    status = page.locator("#map .hint[role=status]")
    expect(status).to_contain_text("200 points")
    choice.select_option(index=1)
    expect(status).to_contain_text("<i>Kin</i> sees")
    text = status.inner_text()
    numbers = [int(word) for word in text.replace(",", "").split() if word.isdigit()]
    shown, coarse, withheld = numbers
    assert shown == coarse and shown + withheld == 200 and withheld > 0 and shown > 0, text
    shots(page, "phone")
    # From cell to cell of the grid there is no speed.
    paces = page.evaluate("""async () => {
      const { trackOf } = await import("/page/tracks.js");
      const fixes = [0, 1, 2, 3].map((step) => ({
        time: new Date(step * 60_000).toISOString(), lat: 52 + step * 0.02, lon: 13, hacc: 500, estimated: true }));
      return trackOf(fixes).stretches.map(({ pace }) => pace);
    }""")
    assert set(paces) == {"unknown"}, paces
    choice.select_option(index=0)
    expect(status).to_contain_text("200 points")


def test_readers_without_rights_see_no_readers(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 20]))
    token = daemon.create_token("--device", "anna", "--read")
    page = open_map(browser, token=token)
    expect(page.locator("#map-title")).to_be_visible()
    expect(page.get_by_label("Seen by")).to_be_hidden()


def test_links_have_an_end_and_see_nothing_else_of_the_owner(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME, end=time.time() - 60))
    for seconds in (3600, 3600, 86_400):
        daemon.send("POST", "/api/v1/devices/anna/links", json.dumps({"seconds": seconds}))
    page = open_map(browser)
    choice = page.get_by_label("Seen by")
    expect(choice.locator("option")).to_have_count(4)
    names = choice.locator("option").all_inner_texts()
    assert len(set(names)) == 4 and all("until" in name for name in names[1:]), names
    canvas, info = page.locator(".map-canvas"), page.locator(".info")
    visit(page, "fences")
    page.get_by_role("button", name="Show Home on the map").click()

    def press_fence():
        box = canvas.bounding_box()
        page.locator(".map-canvas").click(position={"x": box["width"] / 2 + 30, "y": box["height"] / 2 + 30})

    visit(page, "map")
    choice.select_option(index=1)
    expect(info).to_be_empty()
    press_fence()
    page.wait_for_timeout(300)
    expect(info).to_be_empty()
    # A fence that is looked at is looked at with the owner's eyes.
    visit(page, "fences")
    page.get_by_role("button", name="Show Home on the map").click()
    expect(choice).to_have_value("")
    press_until(page, press_fence, "Home: circle")


def test_coarse_reader_gets_coarse_crossings(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="Home"))
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open(daemon.create_token("--device", "anna", "--read", "--accuracy-cap", "500m"))
    visit(page, "record")
    place = page.locator("#record li[data-event=exit] .detail").last
    expect(place).to_contain_text("°")
    assert not re.search(r"\.\d{5}", place.inner_text()), place.inner_text()


def test_late_answer_names_no_readers_of_another_device(browser, daemon):
    for device in ["anna", "berta"]:
        daemon.create_token("--device", device, "--read", "--label", f"Kin of {device}")
        daemon.send_fixes(device, walk(**HOME, distances=[0, 20]))
    page = browser.open(service_workers="block")
    held = []
    page.route("**/devices/anna/readers", lambda route: held.append(route))
    with page.expect_request("**/devices/anna/readers"):
        page.get_by_label("Device", exact=True).select_option("anna")
        visit(page, "map")
    page.get_by_label("Device", exact=True).select_option("berta")
    options = page.get_by_label("Seen by").locator("option")
    expect(options).to_have_text(["You", "Kin of berta"])
    with page.expect_response("**/devices/anna/readers"):
        while held:
            held.pop().continue_()
    page.wait_for_timeout(300)
    expect(options).to_have_text(["You", "Kin of berta"])


def test_reader_that_has_ended_leaves_the_track_of_the_owner(browser, daemon):
    secret = daemon.create_token("--device", "anna", "--read", "--accuracy-cap", "500m", "--label", "Kin")
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 400, 20)))
    page = open_map(browser, **PHONE)
    status = page.locator("#map .hint[role=status]")
    expect(status).to_contain_text("20 points")
    page.get_by_label("Seen by").select_option(index=1)
    expect(status).to_contain_text("Kin sees")
    daemon.revoke_token(secret, 2)
    visit(page, "now")
    visit(page, "map")
    expect(page.get_by_label("Seen by")).to_be_hidden()
    expect(status).to_have_text("20 points, 0 gaps")


def test_opening_the_map_beside_the_views_names_the_readers_of_now(browser, daemon):
    """On a wide screen the map itself is visible all the time, and the field with the readers is not."""
    secret = daemon.create_token("--device", "anna", "--read", "--label", "Kin")
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 20]))
    page = open_map(browser)
    options = page.get_by_label("Seen by").locator("option")
    expect(options).to_have_text(["You", "Kin"])
    visit(page, "now")
    daemon.send("POST", "/api/v1/devices/anna/links", json.dumps({"seconds": 3600, "label": "Granny"}))
    daemon.revoke_token(secret, 2)
    visit(page, "map")
    expect(options).to_have_text(["You", re.compile("^Granny, until ")])
    visit(page, "now")
    daemon.send("DELETE", "/api/v1/devices/anna")
    expect(page.locator("#now .reading")).to_have_text("No location yet")
    visit(page, "map")
    expect(page.get_by_label("Seen by")).to_be_hidden()


def test_fence_that_is_shown_last_is_told_although_the_track_comes_late(browser, daemon):
    daemon.create_token("--device", "anna", "--read", "--label", "Kin")
    daemon.set_fences(circle("home", **HOME, name="Home"), circle("park", **HOME, name="Park"))
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 400, 20)))
    page = open_map(browser, service_workers="block")
    status, choice = page.locator("#map .hint[role=status]"), page.get_by_label("Seen by")
    expect(status).to_contain_text("20 points")
    choice.select_option(index=1)
    expect(status).to_contain_text("Kin sees")
    visit(page, "fences")
    tracks = Gate(page, "**/devices/anna/fixes?*")
    page.get_by_role("button", name="Show Home on the map").click()
    tracks.wait()
    page.get_by_role("button", name="Show Park on the map").click()
    expect(page.locator(".info")).to_contain_text("Park: circle")
    tracks.open()
    visit(page, "map")
    expect(status).to_have_text("20 points, 0 gaps")
    page.wait_for_timeout(300)
    expect(page.locator(".info")).to_contain_text("Park: circle")


def test_late_answer_names_no_reader_that_has_ended(browser, daemon):
    secret = daemon.create_token("--device", "anna", "--read", "--label", "Kin")
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 20]))
    page = browser.open(service_workers="block", **PHONE)
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("±")
    held = []
    page.route("**/devices/anna/readers", lambda route: held.append((route, route.fetch())), times=1)
    visit(page, "map")
    wait_on(page, lambda: held)
    daemon.revoke_token(secret, 2)
    visit(page, "now")
    with page.expect_response("**/devices/anna/readers"):
        visit(page, "map")
    route, response = held[0]
    route.fulfill(response=response)
    page.wait_for_timeout(500)
    expect(page.get_by_label("Seen by")).to_be_hidden()
