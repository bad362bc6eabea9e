"""Links that show a device to others for a while."""

import json
import re
import time

import pytest
from playwright.sync_api import expect

from conftest import HOME, Gate, visit
from daemon import METRES, circle, walk


def test_a_link_shows_the_device_until_it_is_ended(browser, daemon, shots):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 0, 20]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("For whom").fill("<b>Kin</b>")
    dialog.get_by_role("button", name="Make a link").click()
    link = dialog.get_by_label("Link", exact=True)
    address = link.input_value()
    expect(link).to_be_in_viewport(ratio=1)
    assert address.startswith(f"{daemon.url}/#token=wht_")
    expect(dialog.locator(".links li")).to_contain_text("<b>Kin</b>")
    shots(page, "links")

    visitor = browser.context().new_page()
    visitor.goto(address)
    expect(visitor.get_by_text("Somebody shows you a location.")).to_be_visible()
    assert "token" not in visitor.url
    expect(visitor.locator("input")).to_have_count(0)
    # The link outlives the choice of a language.
    visitor.get_by_role("button", name="Deutsch").click()
    expect(visitor.get_by_text("Jemand zeigt Ihnen einen Standort.")).to_be_visible()
    visitor.get_by_role("button", name="English").click()
    visitor.get_by_role("button", name="Show").click()
    expect(visitor.locator("#map h1")).to_be_visible()
    assert "token" not in visitor.url
    expect(visitor.locator("#now .place")).to_contain_text("52.52")
    expect(visitor.get_by_role("button", name="Show to others")).to_be_hidden()
    daemon.send_fixes("anna", walk(**HOME, distances=[60]))
    expect(visitor.locator("#now .place")).to_contain_text("52.5205")

    expect(dialog.locator(".looks")).to_be_attached()
    dialog.get_by_role("button", name="End the link: <b>Kin</b>").click()
    expect(dialog).to_contain_text("The link has ended")
    expect(dialog.locator(".links li")).to_have_count(0)
    # The button is gone, and the keyboard goes on in the dialog.
    expect(dialog.get_by_role("heading", name="Links to anna")).to_be_focused()
    visitor.reload()
    expect(visitor.locator("input[name=token]")).to_be_visible()
    expect(visitor.get_by_role("alert")).to_contain_text("This link has ended")
    visitor = browser.context().new_page()
    visitor.goto(address)
    visitor.get_by_role("button", name="Show").click()
    expect(visitor.get_by_role("alert")).to_contain_text("This link has ended")


def test_a_link_shows_one_journey_alone(browser, daemon, shots):
    noon = time.time() // 86_400 * 86_400 - 43_200
    stay_and_go = [0] * 60 + [20 * step for step in range(61)] + [1200] * 60
    daemon.send_fixes("anna", walk(**HOME, distances=stay_and_go, end=noon))
    daemon.send_fixes("anna", walk(**HOME, distances=[9000]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "record")
    journey = page.locator("#record li[data-type=journey]").first
    journey.get_by_role("button", name="Make a link to the journey").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Link to the journey")).to_be_visible()
    expect(dialog.get_by_label("Also ends on arrival at")).to_have_count(0)
    dialog.get_by_label("For whom").fill("<b>Kin</b>")
    dialog.get_by_role("button", name="Make a link").click()
    address = dialog.get_by_label("Link", exact=True).input_value()
    expect(dialog.locator(".links li")).to_contain_text("only the journey of")
    shots(page, "journey-link")

    visitor = browser.context(viewport={"width": 360, "height": 720}).new_page()
    visitor.goto(address)
    visitor.get_by_role("button", name="Show").click()
    figures = visitor.locator("#journey")
    expect(figures).to_contain_text(re.compile(r"1\.\d km ± "))
    expect(figures).to_contain_text(re.compile(r"\d\d:\d\d – \d\d:\d\d"))
    expect(figures.locator(".hint[role=status]")).to_be_empty()
    expect(visitor.locator(".map-canvas canvas").last).to_be_visible()
    expect(visitor.get_by_role("navigation")).to_have_count(0)
    assert "token" not in visitor.url
    shots(visitor, "journey")
    # Neither the page nor the link has anything else.
    token = address.split("token=")[1]
    fixes = daemon.get("/api/v1/devices/anna/fixes", token=token)["fixes"]
    assert 40 < len(fixes) < 70 and all(fix["lat"] < HOME["latitude"] + 1300 * METRES for fix in fixes)
    visitor.reload()
    expect(figures).to_contain_text("km ±")
    other = browser.context().new_page()
    other.goto(address)
    other.get_by_role("button", name="Show").click()
    other.get_by_role("button", name="Sign out").click()
    expect(other.locator("input[name=token]")).to_be_visible()

    dialog.get_by_role("button", name="End the link: <b>Kin</b>").click()
    expect(dialog).to_contain_text("The link has ended")
    visitor.reload()
    expect(visitor.locator("input[name=token]")).to_be_visible()
    expect(visitor.get_by_role("alert")).to_contain_text("This link has ended")


def test_a_link_leaves_the_person_signed_in(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 0, 20]))
    page = browser.open()
    key = "whereabouts.token"
    page.evaluate("key => localStorage.setItem(key, localStorage.getItem(key) ?? sessionStorage.getItem(key))", key)
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Make a link").click()
    address = dialog.get_by_label("Link", exact=True).input_value()

    visitor = page.context.new_page()
    visitor.goto(address)
    visitor.get_by_role("button", name="Show").click()
    expect(visitor.locator("#map h1")).to_be_visible()
    expect(visitor.get_by_role("button", name="Show to others")).to_be_hidden()

    own = page.context.new_page()
    own.goto(daemon.url)
    own.get_by_label("Device", exact=True).select_option("anna")
    expect(own.get_by_role("button", name="Show to others")).to_be_visible()


def test_a_link_ends_after_its_looks_and_on_arrival(browser, daemon, shots):
    daemon.set_fences(circle("home", **HOME), circle("car", **HOME, notify=["exit"]))
    daemon.send_fixes("anna", walk(**HOME, distances=[900] * 6, end=time.time() - 300))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("How often it may be opened").select_option("1")
    # A fence that reports no arrival would end no link.
    expect(dialog.get_by_label("Also ends on arrival at").locator("option")).to_have_count(2)
    dialog.get_by_label("Also ends on arrival at").select_option("home")
    dialog.get_by_label("How accurately").select_option("500")
    dialog.get_by_role("button", name="Make a link").click()
    address = dialog.get_by_label("Link", exact=True).input_value()
    token = address.split("token=")[1]
    item = dialog.locator(".links li").first
    expect(item).to_contain_text("exact within 1 km of it")
    expect(item).to_contain_text("opened 0 of 1 times")

    path = f"{daemon.url}/api/v1/devices/anna/fix?token={token}"
    visitor = browser.context().new_page()
    assert visitor.request.get(path, headers={"User-Agent": "Firefox/1 Android"}).status == 200
    assert visitor.request.get(path, headers={"User-Agent": "Firefox/1 Android"}).status == 200
    assert visitor.request.get(path, headers={"User-Agent": "curl/8"}).status == 401
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Show to others").click()
    expect(dialog).to_contain_text("opened 1 of 1 times")
    expect(dialog).to_contain_text("Firefox on Android")
    shots(page, "links-with-looks")

    daemon.send_fixes("anna", walk(**HOME, distances=[500, 100, 0, 0, 0, 0, 0, 0, 0, 0]))
    dialog.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Show to others").click()
    expect(dialog.get_by_role("button", name="End the link")).to_have_count(0)


def test_a_link_names_a_fence_that_reports_no_arrivals_any_more(browser, daemon):
    daemon.set_fences(circle("home", **HOME, name="The house"))
    daemon.send_fixes("anna", walk(**HOME, distances=[900] * 6))
    daemon.send("POST", "/api/v1/devices/anna/links", json.dumps({"seconds": 3600, "arrival": "home"}))
    daemon.set_fences(circle("home", **HOME, name="The house", notify=["exit"]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Show to others").click()
    expect(page.get_by_role("dialog").locator(".links li").first).to_contain_text("on arrival at The house")


def test_two_presses_make_one_link(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 0, 20]))
    page = browser.open(service_workers="block")
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    gate = Gate(page, "**/devices/anna/links", lambda request: request.method == "POST")
    dialog.get_by_role("button", name="Make a link").click(force=True)
    page.wait_for_timeout(200)
    page.evaluate("document.querySelector('dialog form button[type=submit]').click()")
    gate.wait()
    page.wait_for_timeout(300)
    gate.open()
    expect(dialog.get_by_label("Link", exact=True)).to_be_visible()
    page.wait_for_timeout(500)
    assert len(daemon.get("/api/v1/devices/anna/links")["links"]) == 1
    expect(dialog.get_by_role("button", name="Make a link")).to_be_enabled()


def test_link_that_is_made_keeps_its_address_when_another_ends(browser, daemon):
    """Its address is shown nowhere else."""
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 0, 20]))
    daemon.send("POST", "/api/v1/devices/anna/links", json.dumps({"seconds": 3600, "label": "Old"}))
    page = browser.open(service_workers="block")
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    gate = Gate(page, "**/devices/anna/links/*")
    dialog.get_by_role("button", name="End the link: Old").click()
    gate.wait()
    dialog.get_by_label("For whom").fill("New")
    dialog.get_by_role("button", name="Make a link").click()
    link = dialog.get_by_label("Link", exact=True)
    expect(link).to_be_visible()
    gate.open()
    expect(dialog).to_contain_text("The link has ended")
    expect(dialog.get_by_role("button", name="End the link: Old")).to_have_count(0)
    expect(link).to_be_visible()
    dialog.get_by_role("button", name="End the link: New").click()
    expect(link).to_have_count(0)


def test_link_is_made_while_the_list_is_read(browser, daemon):
    """What cannot be read afterwards is no failure of the link."""
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 0, 20]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    gate = Gate(page, "**/devices/anna/looks?*")
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    make = dialog.get_by_role("button", name="Make a link")
    link = dialog.get_by_label("Link", exact=True)
    gate.wait()
    dialog.get_by_label("For whom").fill("Kin")
    make.click()
    expect(link).to_be_visible()
    first = link.input_value()
    dialog.get_by_label("For whom").fill("Boss")
    make.click()
    expect(link).not_to_have_value(first)
    gate.wait(3)
    while gate.held:
        gate.held.pop().abort()
    expect(dialog).to_contain_text("The list of links could not be read")
    expect(dialog).not_to_contain_text("Not done")
    expect(link).to_be_visible()


@pytest.mark.parametrize("meanwhile", ["press", "leave", "choose", "open", "end"])
def test_links_that_come_late_cover_nothing(browser, daemon, meanwhile):
    for device in ["anna", "berta"]:
        daemon.send_fixes(device, walk(**HOME, distances=[0, 0, 20]))
    page = browser.open("none", service_workers="block")
    gate = Gate(page, "**/api/v1/fences")
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Device", exact=True).select_option("anna")
    button = page.get_by_role("button", name="Show to others")
    button.click()
    if meanwhile == "press":
        button.click()
    elif meanwhile == "leave":
        visit(page, "record")
    elif meanwhile == "choose":
        page.get_by_label("Device", exact=True).select_option("berta")
    elif meanwhile == "open":
        page.get_by_role("button", name="Settings").click()
    gate.wait()
    if meanwhile == "end":
        gate.holds = lambda request: False
        while gate.held:
            gate.held.pop().fulfill(status=401, body="{}")
        expect(page.locator("input[name=token]")).to_be_visible()
    gate.open()
    page.wait_for_timeout(700)
    assert page.locator("dialog").count() == (1 if meanwhile in ("press", "open") else 0)


def test_failure_of_an_overtaken_answer_is_not_told(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 0, 20]))
    page = browser.open(service_workers="block")
    page.get_by_label("Device", exact=True).select_option("anna")
    gate = Gate(page, "**/devices/anna/looks?*")
    page.get_by_role("button", name="Show to others").click()
    gate.wait()
    late = gate.held.pop()
    gate.open()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Make a link").click()
    expect(dialog.locator(".links li")).to_have_count(1)
    late.abort()
    page.wait_for_timeout(500)
    expect(dialog).not_to_contain_text("Not done")


def test_link_is_ended_where_its_dialog_is_closed_while_it_is_made(browser, daemon):
    """Nobody would ever see its address."""
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 0, 20]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Show to others").click()
    dialog = page.get_by_role("dialog")
    gate = Gate(page, "**/devices/anna/links", lambda request: request.method == "POST")
    dialog.get_by_role("button", name="Make a link").click()
    gate.wait()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    with page.expect_response(lambda response: response.request.method == "DELETE"):
        gate.open()
    assert daemon.get("/api/v1/devices/anna/links")["links"] == []
    assert page.locator("dialog").count() == 0


def test_journey_whose_map_cannot_be_loaded_says_so_in_the_language_of_the_page(browser, daemon):
    noon = time.time() // 86_400 * 86_400 - 43_200
    stay_and_go = [0] * 60 + [20 * step for step in range(61)] + [1200] * 60
    daemon.send_fixes("anna", walk(**HOME, distances=stay_and_go, end=noon))
    daemon.send_fixes("anna", walk(**HOME, distances=[9000]))
    days = daemon.get("/api/v1/devices/anna/days?zone=Etc/UTC")["days"]
    journey = next(segment for day in days for segment in day["segments"] if segment["type"] == "journey")
    link = json.loads(daemon.send(
        "POST", "/api/v1/devices/anna/links", json.dumps({"seconds": 3600, "journey": journey["id"]})))
    page = browser.context(locale="de-DE").new_page()
    page.route("**/page/map.js", lambda route: route.abort())
    page.goto(daemon.url + link["path"])
    page.get_by_role("button", name="Zeigen").click()
    expect(page.locator("#journey .hint[role=status]")).to_have_text("Nicht ausgeführt: Der Server ist nicht erreichbar.")
