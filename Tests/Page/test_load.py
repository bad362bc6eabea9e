"""Large contents: a track of 100,000 points and 2,000 fences, and the weight of the page. Figures are printed."""

import math
import urllib.request

from playwright.sync_api import expect

from conftest import HOME, visit, wait_for_worker
from daemon import circle, walk

POINTS, FENCES = 100_000, 2_000


def track_page(start, count):
    """Returns a page of a wandering track with one fix a second."""
    fixes = []
    for index in range(start, start + count):
        minute, second = divmod(index, 60)
        hour, minute = divmod(minute, 60)
        day, hour = divmod(hour, 24)
        angle = index / 300
        fixes.append({
            "time": f"2026-05-{day + 1:02}T{hour:02}:{minute:02}:{second:02}Z",
            "lat": 52.52 + 0.05 * math.sin(angle / 7) + 0.02 * math.sin(angle),
            "lon": 13.405 + 0.09 * math.cos(angle / 11) + 0.03 * math.cos(angle * 1.3),
            "hacc": 5, "speed": 6 + 6 * math.sin(angle / 3),
        })
    return fixes


def test_large_track_and_many_fences_are_drawn(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    daemon.set_fences(*(
        circle(f"fence-{index}", 52.45 + index % 50 * 0.003, 13.3 + index // 50 * 0.005, 60)
        for index in range(FENCES)))
    page = browser.open("none", viewport={"width": 1280, "height": 800}, service_workers="block")

    def pages(route):
        cursor = route.request.url.split("cursor=")
        start = int(cursor[1].split("&")[0]) if len(cursor) > 1 else 0
        answer = {"fixes": track_page(start, 10_000)}
        if start + 10_000 < POINTS:
            answer["next"] = str(start + 10_000)
        route.fulfill(json=answer)

    # The page's part alone: the daemon's answers are made here.
    page.route("**/devices/anna/fixes?*", pages)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Device", exact=True).select_option("anna")
    visit(page, "map")
    expect(page.locator("#map [role=status]")).to_have_text("100,000 points, 0 gaps")
    page.evaluate("""() => {
      window.frames_ = [];
      const note = (time) => { window.frames_.push(time); requestAnimationFrame(note); };
      requestAnimationFrame(note);
    }""")
    page.mouse.move(900, 400)
    page.mouse.down()
    for step in range(60):
        page.mouse.move(900 - 4 * step, 400 + 2 * step)
    page.mouse.up()
    page.wait_for_function("() => window.frames_.length > 1")
    frames = page.evaluate("window.frames_")
    gaps = sorted(b - a for a, b in zip(frames, frames[1:]))
    rate = 1000 * len(gaps) / (frames[-1] - frames[0])
    print(f"panning {POINTS} points and {FENCES} fences: {rate:.0f} frames a second,"
          f" the longest frame {gaps[-1]:.0f} ms")
    expect(page.locator("#map [role=status]")).to_have_text("100,000 points, 0 gaps")


def test_page_weighs_less_than_300_kilobytes(browser, daemon):
    page = browser.open(service_workers="allow")
    wait_for_worker(page)
    paths = page.evaluate("""async () => {
      const cache = await caches.open((await caches.keys())[0]);
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    }""")
    weight = 0
    for path in paths:
        request = urllib.request.Request(daemon.url + path, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as response:
            weight += len(response.read())
    print(f"{len(paths)} files, {weight / 1000:.0f} kB compressed")
    assert weight < 300_000


def test_first_paint_on_a_slow_processor(browser):
    page = browser.context().new_page()
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.goto(browser.daemon.url)
    page.get_by_role("button", name="Sign in").wait_for()
    paint = page.evaluate("""() => performance.getEntriesByName("first-contentful-paint")[0].startTime""")
    print(f"first paint with a four times slower processor: {paint:.0f} ms")
