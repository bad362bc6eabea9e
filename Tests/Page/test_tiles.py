"""Tiles under the map: only where they are set up, from one host alone."""

import pytest
from playwright.sync_api import expect

from conftest import HOME, visit, wait_for_worker
from daemon import circle, walk
from test_page import MARKUP, serious
from tiles import TileServer


@pytest.fixture
def tiles(tmp_path):
    server = TileServer(tmp_path)
    yield server
    server.stop()


def start_with_tiles(daemon, template, attribution, *options):
    daemon.set_fences(circle("home", **HOME, name="Home", hysteresisMargin=30))
    daemon.send_fixes("anna", walk(**HOME, distances=[0] * 10 + [20 * step for step in range(26)]))
    daemon.stop()
    daemon.start(
        daemon.port, "--set", f"TILES={template}", "--set", f"TILES_ATTRIBUTION={attribution}",
        *(part for option in options for part in ("--set", option)))


def open_map(browser, **options):
    page = browser.open(**options)
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    expect(page.locator("#map .hint[role=status]")).to_contain_text("points")
    return page


def loaded(page):
    return page.locator(".leaflet-tile-loaded")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_tiles_lie_under_track_and_fences(browser, daemon, tiles, shots, scheme, width):
    start_with_tiles(
        daemon, f"{tiles.origin}/{{z}}/{{x}}/{{y}}.png", "© The makers of these tiles https://example.org/copyright")
    browser.allowed.append(tiles.origin)
    page = open_map(browser, color_scheme=scheme, viewport={"width": width, "height": 720})
    expect(loaded(page).first).to_be_attached()
    link = page.locator(".map-attribution a")
    expect(link).to_have_text("© The makers of these tiles")
    expect(link).to_have_attribute("href", "https://example.org/copyright")
    assert serious(page) == []
    # The server of the tiles learns the origin of the page, and neither its path nor a token.
    assert {(referrer, token) for _, referrer, token in tiles.requests} == {(f"{daemon.url}/", None)}
    page.wait_for_function("() => document.querySelectorAll('.leaflet-tile:not(.leaflet-tile-loaded)').length === 0")
    shots(page, "tiles")
    track = page.evaluate("""() => getComputedStyle(document.querySelector(".leaflet-tile-pane")).filter""")
    assert ("invert" in track) == (scheme == "dark")


def test_greatest_zoom_of_the_tiles_is_kept(browser, daemon, tiles):
    start_with_tiles(daemon, f"{tiles.origin}/{{z}}/{{x}}/{{y}}.png", "x", "TILES_ZOOM=10-15")
    browser.allowed.append(tiles.origin)
    page = open_map(browser)
    for _ in range(6):
        page.get_by_role("button", name="Zoom in").click()
    expect(loaded(page).first).to_be_attached()
    for _ in range(14):
        page.get_by_role("button", name="Zoom out").click()
    page.wait_for_function("() => document.querySelectorAll('.leaflet-tile').length === 0")
    # Outside the range of zoom, tiles are drawn larger, or not at all.
    assert tiles.zooms <= set(range(10, 16)) and 15 in tiles.zooms, tiles.zooms


def test_without_the_setting_nothing_is_asked_of_anybody(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 20, 40]))
    page = open_map(browser)
    assert page.locator(".leaflet-tile, .map-attribution").count() == 0
    assert daemon.get("/api/v1/map") == {}
    # The fixture asserts that no request went to another host.


def test_other_hosts_stay_forbidden(browser, daemon, tiles, tmp_path):
    """The policy allows the one host: a picture of another is refused by the browser."""
    start_with_tiles(daemon, f"{tiles.origin}/{{z}}/{{x}}/{{y}}.png", "x")
    browser.allowed += [tiles.origin, "https://127.0.0.1:1", tiles.origin.replace("127.0.0.1", "localhost")]
    page = open_map(browser)
    expect(loaded(page).first).to_be_attached()
    for origin in ("https://127.0.0.1:1", tiles.origin.replace("127.0.0.1", "localhost")):
        blocked = page.evaluate("""(address) => new Promise((resolve) => {
          document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
          new Image().src = address;
        })""", f"{origin}/1/1/1.png")
        assert blocked == "img-src"
    # Nothing but pictures comes from the host of the tiles.
    blocked = page.evaluate("""(address) => new Promise((resolve) => {
      document.addEventListener("securitypolicyviolation", (event) => resolve(event.effectiveDirective), { once: true });
      fetch(address).catch(() => {});
    })""", f"{tiles.origin}/1/1/1.png")
    assert blocked == "connect-src"
    # These violations were the aim of the test.
    assert len(browser.problems) >= 3 and all("Content Security Policy" in problem for problem in browser.problems)
    browser.problems.clear()


def test_a_page_from_before_the_setting_gets_its_tiles(browser, daemon, tiles):
    """The browser has kept the page with the narrower policy."""
    page = browser.open("none", service_workers="allow")
    page.get_by_label("Keep me signed in").check()
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.locator("#source").wait_for()
    wait_for_worker(page)
    start_with_tiles(daemon, f"{tiles.origin}/{{z}}/{{x}}/{{y}}.png", MARKUP)
    browser.allowed.append(tiles.origin)
    page.reload()
    # The next opening has the new page, once the worker has read it.
    page.evaluate("""async () => {
      for (let tries = 0; tries < 6000; tries++) {
        await (await navigator.serviceWorker.getRegistration()).update();
        const script = await (await fetch("/page/worker.js", { cache: "no-store" })).text(), names = await caches.keys();
        if (names.length === 1 && script.includes(names[0].replace("whereabouts-", ""))) return;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error("The worker still has the page from before.");
    }""")
    page.goto("about:blank")
    browser.problems.clear()
    page.goto(daemon.url)
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    expect(loaded(page).first).to_be_attached()
    # The name of somebody is never markup.
    expect(page.locator(".map-attribution")).to_have_text(MARKUP)
    assert page.evaluate("window.caught") is None


def test_own_path_needs_no_other_host(browser, daemon):
    start_with_tiles(daemon, "/tiles/{z}/{x}/{y}.png", "Ours")
    page = browser.open("none")
    asked = []
    page.route("**/tiles/**", lambda route: (asked.append(route.request.url), route.fulfill(status=404)))
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    expect(page.locator(".map-attribution")).to_have_text("Ours")
    page.wait_for_function("() => document.querySelectorAll('.leaflet-tile').length > 0")
    # A tile that is missing leaves the grid.
    assert loaded(page).count() == 0
    assert all(url.startswith(f"{daemon.url}/tiles/") for url in asked)
