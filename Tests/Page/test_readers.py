"""What other readers of a device get of a day."""

import subprocess

from playwright.sync_api import expect

from conftest import HOME
from daemon import walk

PHONE = {"viewport": {"width": 360, "height": 720}}


def open_map(browser, **options):
    page = browser.open(**options)
    page.get_by_label("Device", exact=True).select_option("anna")
    link = page.get_by_role("link", name="Map")
    if link.is_visible():
        link.click()
    return page


def test_a_day_as_others_see_it(browser, daemon, shots):
    daemon.create_token("--device", "anna", "--read", "--accuracy-cap", "500m", "--label", "<i>Kin</i>")
    subprocess.run(
        [daemon.program, "zone", "add", "home", "--at", f"{HOME['latitude']},{HOME['longitude']}", "--radius", "200m",
         "--device", "anna", "--store", daemon.store], check=True, stdout=subprocess.DEVNULL)
    # Far away, in half an hour, so that some fixes are out of the zone's cover.
    daemon.send_fixes("anna", walk(**HOME, distances=range(0, 4000, 20)))
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
    choice.select_option(index=0)
    expect(status).to_contain_text("200 points")


def test_readers_without_rights_see_no_readers(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 20]))
    token = daemon.create_token("--device", "anna", "--read")
    page = open_map(browser, token=token)
    expect(page.locator("#map-title")).to_be_visible()
    expect(page.get_by_label("Seen by")).to_be_hidden()
