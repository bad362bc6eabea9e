"""Links that show a device to others for a while."""

from playwright.sync_api import expect

from conftest import HOME
from daemon import walk


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
    assert address.startswith(f"{daemon.url}/#token=wht_")
    expect(dialog.locator("li")).to_contain_text("<b>Kin</b>")
    shots(page, "links")

    visitor = browser.context().new_page()
    visitor.goto(address)
    visitor.locator("form button[type=submit]").click()
    visitor.locator("#source").wait_for()
    assert "token" not in visitor.url
    expect(visitor.locator("#now .place")).to_contain_text("52.52")
    expect(visitor.get_by_role("button", name="Show to others")).to_be_hidden()
    daemon.send_fixes("anna", walk(**HOME, distances=[60]))
    expect(visitor.locator("#now .place")).to_contain_text("52.5205")

    dialog.get_by_role("button", name="End the link: <b>Kin</b>").click()
    expect(dialog).to_contain_text("The link has ended")
    expect(dialog.locator("li")).to_have_count(0)
    visitor.reload()
    expect(visitor.locator("input[name=token]")).to_be_visible()
