"""Alerts: what an administrator sees of them."""

import json

from playwright.sync_api import expect

from conftest import HOME, visit, wait_on
from daemon import circle, there_and_away


def test_alerts_are_shown_with_their_reasons(browser, daemon, shots, tmp_path):
    alerts = tmp_path / "alerts.json"
    alerts.write_text(json.dumps({
        "channels": {"<i>log</i>": {"command": ["/bin/true"]}},
        "alerts": [
            {"name": "<b>out</b>", "fences": ["home"], "events": ["exit"], "channels": ["<i>log</i>"]},
            {"name": "in", "fences": ["hme"], "events": ["enter"], "channels": ["<i>log</i>"]},
        ],
    }))
    daemon.set_fences(circle("home", **HOME, name="The house"))
    daemon.stop()
    daemon.start(daemon.port, "--alerts", str(alerts))
    daemon.send_fixes("anna", there_and_away(**HOME))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "record")
    expect(page.locator("#record li[data-event=exit]")).to_be_visible()
    page.get_by_role("button", name="Alerts").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("in names the fence hme, which does not exist.")
    expect(dialog).to_contain_text("<b>out</b>: anna")
    for _ in range(3000):
        if "delivered" in dialog.inner_text():
            break
        dialog.get_by_role("button", name="Read again").click()
        page.wait_for_timeout(100)
    expect(dialog).to_contain_text("<i>log</i> · delivered")
    expect(dialog).to_contain_text("Left: The house")
    shots(page, "alerts")


def test_alerts_that_are_not_set_up_are_said_so(browser, daemon):
    page = browser.open()
    visit(page, "record")
    page.get_by_role("button", name="Alerts").click()
    expect(page.get_by_role("dialog")).to_contain_text("No alerts are set up")
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    reader = daemon.create_token("--device", "anna", "--read")
    page = browser.open(token=reader)
    visit(page, "record")
    expect(page.get_by_role("heading", name="Record")).to_be_visible()
    expect(page.get_by_role("button", name="Alerts")).to_have_count(0)


def test_late_answer_does_not_replace_newer_alerts(browser, daemon):
    page = browser.open(service_workers="block")
    visit(page, "record")
    held = []
    page.route("**/api/v1/alerts?*", lambda route: held.append(route))
    page.get_by_role("button", name="Alerts").click()
    dialog = page.get_by_role("dialog")
    wait_on(page, lambda: len(held) >= 1)
    dialog.get_by_role("button", name="Read again").click()
    wait_on(page, lambda: len(held) >= 2)
    lists = {"channels": [], "notifications": [], "decisions": []}
    held[1].fulfill(json={**lists, "alerts": [{"name": "new"}]})
    expect(dialog).to_contain_text("Channels")
    held[0].fulfill(json={**lists, "alerts": []})
    page.wait_for_timeout(500)
    expect(dialog).to_contain_text("Channels")
    expect(dialog).not_to_contain_text("No alerts are set up")
