"""A daemon and a browser for each test, and what must hold in all of them."""

import os
import pathlib
import re
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect, sync_playwright

from daemon import Daemon, wait_until

HOME = {"latitude": 52.52, "longitude": 13.405}

# The zone of the daemon and of the browser: one where it is neither shortly after midnight nor, for some hours, before the
# next one, so that what a test sends lies in one day.
ZONE = min(
    (name for name in ["Europe/Berlin", "America/New_York"] if datetime.now(ZoneInfo(name)).hour >= 2),
    key=lambda name: datetime.now(ZoneInfo(name)).hour)

# The time limit on a busy machine. A test that passes waits no longer than the page does.
PATIENCE = 300_000
expect.set_options(timeout=PATIENCE)

# Makes the outcome of a search independent of the machine's speed: a reading of the phone is as old as its delivery, and a
# search without a reading has no end.
PATIENT_SEARCH = """(() => {
  performance.now = () => 0;
  if (!navigator.geolocation) return;
  const now = Date.now, watch = navigator.geolocation.watchPosition.bind(navigator.geolocation);
  let last = null, moment = 0;
  navigator.geolocation.watchPosition = (show, ...rest) => watch(({ coords, timestamp }) => {
    if (timestamp !== last) [last, moment] = [timestamp, Math.max(now(), moment + 1)];
    show({ coords, timestamp: moment });
  }, ...rest);
})()"""


@pytest.fixture
def daemon(tmp_path):
    daemon = Daemon(os.environ["WHEREABOUTS"], tmp_path, ZONE)
    yield daemon
    daemon.stop()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        # The certificates of servers of tiles are made by the tests. The option of a context does not reach the requests of a
        # page that a service worker controls.
        arguments = ["--ignore-certificate-errors"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], args=arguments, timeout=PATIENCE)
        yield browser
        browser.close()


class Browser:
    """A browser's profile. At the end of the test nothing may have gone to a host that is not allowed, and no policy was
    violated."""

    def __init__(self, chromium, daemon):
        self.chromium = chromium
        self.daemon = daemon
        self.origin = daemon.url
        self.contexts = []
        self.allowed = []
        self.foreign = []
        self.problems = []

    def context(self, patient=True, **options):
        """Returns a context. A clock that is installed in a patient one stands still: its time passes in `run_for` alone.

        Without `service_workers="allow"` there is no worker: from the moment that it takes over, which depends on the
        machine, requests of the page would be hidden from the test."""
        options = {
            "locale": "en-GB", "permissions": ["geolocation"], "timezone_id": ZONE, "service_workers": "block", **options}
        context = self.chromium.new_context(**options)
        context.set_default_timeout(PATIENCE)
        if patient:
            context.add_init_script(PATIENT_SEARCH)
        context.on("request", self.note_request)
        context.on("weberror", lambda error: self.problems.append(str(error.error)))
        context.on("console", self.note_message)
        self.contexts.append(context)
        return context

    def note_request(self, request):
        origins = "|".join(re.escape(origin) for origin in [self.origin, *self.allowed])
        if not re.match(f"(blob:)?({origins})/", request.url):
            self.foreign.append(request.url)

    def note_message(self, message):
        if "Content Security Policy" in message.text or "TrustedHTML" in message.text:
            self.problems.append(message.text)

    def open(self, token=None, path="/", context=None, **options):
        """Opens the page and signs in."""
        page = (context or self.context(**options)).new_page()
        page.goto(self.daemon.url + path)
        if token != "none":
            page.locator("input[name=token]").fill(token or self.daemon.token)
            # A press of the button would make the page ignore presses in its place for a moment.
            page.locator("input[name=token]").press("Enter")
            page.locator("#source").wait_for()
        return page

    def close(self):
        for context in self.contexts:
            context.close()
        assert self.foreign == []
        assert self.problems == []


@pytest.fixture
def browser(chromium, daemon):
    browser = Browser(chromium, daemon)
    yield browser
    browser.close()


def visit(page, view):
    """Goes to a view. Until it is shown, a name in it can be that of an element of the view before."""
    page.locator(f'nav a[href="#{view}"]').click()
    expect(page.locator(f"#{view}")).to_be_visible()


def wait_on(page, condition):
    """Waits until a condition of the test holds that something on the page brings about."""
    wait_until(condition, lambda: page.wait_for_timeout(50))


class Gate:
    """Holds the requests of a page until they are let through, as an answer that comes late."""

    def __init__(self, page, pattern, holds=lambda request: True):
        self.page, self.holds, self.is_open, self.held = page, holds, False, []
        page.route(pattern, self.process)

    def process(self, route):
        if self.is_open or not self.holds(route.request):
            route.continue_()
        else:
            self.held.append(route)

    def wait(self, count=1):
        """Waits until some requests are held. A request is known to the page before it comes here."""
        wait_on(self.page, lambda: len(self.held) >= count)

    def open(self):
        """Lets all through, also those that come later."""
        self.is_open = True
        while self.held:
            self.held.pop().continue_()

    def close(self):
        self.is_open = False


def wait_for_state(page, condition, value=None):
    """Waits until a function of the page's state, and of a value, holds. `wait_for_function` does not wait for promises, and
    the content policy forbids it expressions that are no functions."""
    script = f"(value) => import('/page/state.js').then(({{ state }}) => ({condition})(state, value))"
    wait_on(page, lambda: page.evaluate(script, value))


def press_until(page, press, told):
    """Presses something until an element tells what it should. The first press may come before the map stands still."""
    for _ in range(1000):
        press()
        page.wait_for_timeout(300)
        if told in page.locator(".info").inner_text():
            return
    raise AssertionError(f"the map does not tell: {told}")


def wait_for_worker(page):
    """Waits until the page, of a context that allows workers, opens without the daemon."""
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")


@pytest.fixture
def shots(request):
    """Returns a function that stores pictures of a page, if a folder is given for them."""
    folder = os.environ.get("PICTURES")

    def shoot(page, name):
        if folder:
            page.screenshot(path=pathlib.Path(folder) / f"{request.node.name}-{name}.png")

    return shoot
