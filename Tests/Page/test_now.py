"""Here and now: the search for a place, and this phone as a source."""

import re

from playwright.sync_api import expect

from conftest import HOME, Gate, visit, wait_for_state, wait_for_worker, wait_on
from daemon import METRES, walk


def place(accuracy, north=0):
    return {**HOME, "latitude": HOME["latitude"] + north * METRES, "accuracy": accuracy}


def send_now(daemon, distance, accuracy=5):
    """Sends a fix of this moment, since a search takes none that is a minute old."""
    daemon.send_fixes("anna", [{**fix, "hacc": accuracy} for fix in walk(**HOME, distances=[distance])])


def status(page):
    return page.locator("#now .status")


def name_phone(page, name="berta"):
    page.locator("#now").get_by_label("Name of this phone").fill(name)
    page.keyboard.press("Tab")


def test_search_ends_with_a_good_location(browser, daemon):
    context = browser.context()
    page = browser.open(context=context)
    name_phone(page)
    expect(status(page)).to_have_text("Press Start to find this place.")
    page.get_by_role("button", name="Start").click()
    expect(status(page)).to_have_text("Searching …")
    context.set_geolocation(place(35))
    expect(status(page)).to_have_text("Weak signal")
    expect(page.locator("#now .reading")).to_contain_text("± 35 m")
    context.set_geolocation(place(15, north=3))
    expect(status(page)).to_have_text("Found")
    context.set_geolocation(place(8, north=4))
    expect(status(page)).to_have_text("Found, and stopped to save the battery")
    expect(page.locator("#now .reading")).to_contain_text("± 8 m")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    assert [fix["hacc"] for fix in daemon.fixes("berta")] == [35, 15, 8]


def test_search_ends_at_rest(browser):
    context = browser.context(geolocation=place(15))
    page = browser.open(context=context)
    page.get_by_role("button", name="Start").click()
    expect(status(page)).to_have_text("Found")
    context.set_geolocation(place(15))
    expect(status(page)).to_have_text("Found at rest, and stopped to save the battery")


def test_following_goes_on_until_stopped(browser, daemon):
    context = browser.context(geolocation=place(5))
    page = browser.open(context=context)
    name_phone(page)
    page.get_by_label("Keep following").check()
    page.get_by_role("button", name="Start").click()
    expect(status(page)).to_have_text("Found")
    context.set_geolocation(place(60, north=30))
    expect(status(page)).to_have_text("Weak signal")
    page.get_by_role("button", name="Stop").click()
    expect(status(page)).to_have_text("Stopped")
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    assert [fix["hacc"] for fix in daemon.fixes("berta")] == [5, 60]


def test_search_without_a_location_ends_after_30_seconds(browser):
    page = browser.context().new_page()
    page.clock.install()
    page.goto(browser.daemon.url)
    page.locator("input[name=token]").fill(browser.daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Start").click()
    page.clock.run_for(29_000)
    expect(status(page)).to_have_text("Searching …")
    page.clock.run_for(2_000)
    expect(status(page)).to_have_text("No location within 30 s")
    expect(page.locator("#now .help")).to_contain_text("Go near a window")


def test_denied_location_says_what_to_do(browser, shots):
    page = browser.open(permissions=[])
    page.get_by_role("button", name="Start").click()
    expect(status(page)).to_have_text("Location is not allowed")
    expect(page.locator("#now .help")).to_contain_text("Allow it for this page")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    shots(page, "denied")


def test_device_of_the_server_is_a_source(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_contain_text("Last known place · ± 5 m")
    page.get_by_role("button", name="Start").click()
    send_now(daemon, 2)
    expect(status(page)).to_have_text("Found, and stopped to save the battery")
    page.get_by_label("Keep following").check()
    page.get_by_role("button", name="Start").click()
    send_now(daemon, 3)
    expect(status(page)).to_have_text("Found")
    send_now(daemon, 40, accuracy=50)
    expect(status(page)).to_have_text("Weak signal")
    expect(page.locator("#now .reading")).to_contain_text("± 50 m")


def test_location_of_a_device_after_a_search_is_the_newest(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Start").click()
    send_now(daemon, 3)
    expect(status(page)).to_have_text("Found, and stopped to save the battery")
    send_now(daemon, 40, accuracy=50)
    expect(page.locator("#now .reading")).to_contain_text("Last known place · ± 50 m")
    expect(page.locator("#now .place")).to_contain_text("52.5204° N")
    page.get_by_role("button", name="Fence here").click()
    expect(page.get_by_role("dialog")).to_contain_text("Around 52.5204° N")


def test_positions_wait_without_a_connection_and_are_sent_once(browser, daemon, shots):
    context = browser.context(geolocation=place(5), service_workers="allow")
    page = browser.open(context=context)
    # The page itself has to open without the server too.
    wait_for_worker(page)
    name_phone(page)
    page.get_by_label("Keep following").check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    context.set_offline(True)
    for step in range(1, 4):
        before = page.locator("#now .queue").inner_text()
        context.set_geolocation(place(5, north=3 * step))
        expect(page.locator("#now .queue")).not_to_have_text(before)
        expect(page.locator("#now .queue")).to_contain_text("to be sent")
    shots(page, "offline")
    page.reload()
    expect(page.locator("#now .queue")).to_contain_text("positions wait to be sent")
    page.get_by_role("button", name="Start").click()
    context.set_geolocation(place(5, north=12))
    expect(page.locator("#now .queue")).to_contain_text("positions wait to be sent")
    context.set_offline(False)
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    page.get_by_role("button", name="Stop").click()
    fixes = daemon.fixes("berta")
    times = [fix["time"] for fix in fixes]
    assert times == sorted(set(times)), "each once, in order"
    north = [round((fix["lat"] - HOME["latitude"]) / METRES) for fix in fixes]
    assert [value for index, value in enumerate(north) if north.index(value) == index] == [0, 3, 6, 9, 12]


def test_lost_answer_stores_no_position_twice(browser, daemon):
    page = browser.open(geolocation=place(5))
    name_phone(page)
    lost = []

    def lose(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch())
        route.abort()

    page.route("**/ingest", lose)
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    assert lost and lost[0].status == 200
    assert len(daemon.fixes("berta")) == 1


def test_token_that_only_writes_makes_a_source(browser, daemon):
    page = browser.open(daemon.create_token("--device", "anna", "--write"), geolocation=place(5))
    expect(page.get_by_label("Device", exact=True).locator("option")).to_have_text(["This phone (anna)"])
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    assert [fix["hacc"] for fix in daemon.fixes("anna")] == [5]
    visit(page, "record")
    expect(page.locator("#record")).to_contain_text("This token may send positions and read nothing.")


def with_wrong_clock(browser, hours):
    """Returns a context whose clock is wrong. The times of the browser's locations are of the same clock."""
    context = browser.context(geolocation=place(5))
    context.add_init_script("""(() => {
      const error = %d * 3_600_000, Right = Date, now = Right.now;
      Date = class extends Right { constructor(...values) { values.length === 0 ? super(now() + error) : super(...values); } };
      Date.now = () => now() + error;
      const watch = navigator.geolocation.watchPosition.bind(navigator.geolocation);
      navigator.geolocation.watchPosition = (show, ...rest) => watch(({ coords, timestamp }) =>
        show({ coords, timestamp: timestamp + error }), ...rest);
    })()""" % hours)
    return context


def test_device_is_found_by_a_browser_with_a_wrong_clock(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open(context=with_wrong_clock(browser, 1))
    page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).to_have_text(re.compile(r" · (now|\d+ s ago|[1-4]?\d min ago)$"))
    page.get_by_role("button", name="Start").click()
    send_now(daemon, 2)
    expect(status(page)).to_have_text("Found, and stopped to save the battery")


def test_position_from_before_the_queue_is_open_is_sent(browser, daemon):
    context = browser.context(geolocation=place(5))
    context.add_init_script("""Object.defineProperty(IDBOpenDBRequest.prototype, "onsuccess", {
      set(show) { this.addEventListener("success", () => setTimeout(show, 2000)); },
    })""")
    page = browser.open(context=context)
    name_phone(page)
    with page.expect_response("**/ingest"):
        page.get_by_role("button", name="Start").click()
    assert [fix["hacc"] for fix in daemon.fixes("berta")] == [5]


def test_phone_with_a_wrong_clock_says_so(browser, daemon):
    for hours, text in [(1, "The server has not stored 1 position. The clock of this phone is 1 h ahead"), (-1, "1 h behind")]:
        page = browser.open(context=with_wrong_clock(browser, hours))
        name_phone(page)
        page.get_by_role("button", name="Start").click()
        expect(page.locator("#now .queue")).to_contain_text(text)


def test_connection_that_died_during_a_sleep_is_opened_again(browser, daemon):
    """A sleep stops the page's timers, and the server's silence is not noticed by them."""
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    context = browser.context()
    context.add_init_script("""
      const now = Date.now;
      window.slept = 0;
      Date.now = () => now() + window.slept;
    """)
    page = browser.open(context=context)
    with page.expect_response("**/api/v1/stream?*"):
        page.get_by_label("Device", exact=True).select_option("anna")
    expect(page.locator("#now .reading")).not_to_have_text("No location yet")
    with page.expect_response("**/api/v1/stream?*"):
        page.evaluate("window.slept = 3_600_000; document.dispatchEvent(new Event('visibilitychange'))")


def test_network_that_answers_nothing_is_no_connection(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.context().new_page()
    page.clock.install()
    page.route("**/api/v1/stream?*", lambda route: None)
    page.goto(daemon.url)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("Device", exact=True).select_option("anna")
    page.clock.run_for(5_000)
    expect(page.locator(".connection")).to_be_empty()
    page.clock.run_for(40_000)
    expect(page.locator(".connection")).to_contain_text("No connection")


def test_location_that_is_not_read_yet_is_not_called_absent(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    gate = Gate(page, "**/devices/anna/fix")
    expect(page.locator("#now .reading")).to_have_text("No location yet")
    page.get_by_label("Device", exact=True).select_option("anna")
    gate.wait()
    expect(page.locator("#now .reading")).to_be_empty()
    gate.open()
    expect(page.locator("#now .reading")).to_contain_text("±")


def test_search_that_begins_before_the_devices_are_read_goes_on(browser, daemon):
    """As on a slow network: the button is there first."""
    context = browser.context(geolocation=place(5))
    page = context.new_page()
    gate = Gate(page, "**/api/v1/devices")
    page.goto(daemon.url)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    gate.wait()
    page.get_by_label("Keep following").check()
    page.get_by_role("button", name="Start").click()
    gate.open()
    page.wait_for_timeout(500)
    context.set_geolocation(place(5, north=3))
    expect(status(page)).to_have_text("Found")


def test_positions_are_sent_again_where_no_answer_comes(browser, daemon):
    context = browser.context(geolocation=place(5), service_workers="block")
    page = context.new_page()
    page.clock.install()
    page.goto(daemon.url)
    page.locator("input[name=token]").fill(daemon.token)
    page.get_by_role("button", name="Sign in").click()
    name_phone(page)
    page.route("**/ingest", lambda route: None, times=1)
    with page.expect_request("**/ingest"):
        page.get_by_role("button", name="Start").click()
    queue = page.locator("#now .queue")
    expect(queue).to_contain_text("to be sent")
    page.clock.run_for(60_000)
    for _ in range(3000):
        if "to be sent" not in queue.inner_text():
            break
        page.clock.run_for(1_000)
        page.wait_for_timeout(50)
    expect(queue).not_to_contain_text("to be sent")
    assert len(daemon.fixes("berta")) == 1


def test_queue_that_the_browser_has_closed_is_opened_again(browser, daemon):
    """As browsers do while the phone sleeps."""
    context = browser.context(geolocation=place(5))
    context.add_init_script("""
      const open = indexedDB.open.bind(indexedDB);
      IDBFactory.prototype.open = (...values) => {
        const opening = open(...values);
        opening.addEventListener("success", () => { window.database = opening.result; });
        return opening;
      };
    """)
    page = browser.open(context=context)
    name_phone(page)
    page.get_by_label("Keep following").check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    page.evaluate("window.database.close()")
    context.set_geolocation(place(5, north=3))
    expect(page.locator("#now .place")).to_contain_text("52.52003")
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    assert len(daemon.fixes("berta")) == 2


def test_search_ends_in_time_although_the_clock_is_set(browser, daemon):
    page = browser.context(service_workers="block").new_page()
    page.clock.install()
    page.goto(browser.daemon.url)
    page.locator("input[name=token]").fill(browser.daemon.token)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Start").click()
    page.clock.run_for(5_000)
    page.evaluate("{ const now = Date.now; Date.now = () => now() + 3_600_000; }")
    page.clock.run_for(2_000)
    expect(status(page)).to_have_text("Searching …")
    page.evaluate("{ const now = Date.now; Date.now = () => now() - 7_200_000; }")
    page.clock.run_for(25_000)
    expect(status(page)).to_have_text("No location within 30 s")


def test_positions_of_before_are_sent_although_the_devices_are_not_read(browser, daemon):
    context = browser.context(geolocation=place(5), service_workers="block")
    page = browser.open(context=context)
    name_phone(page)
    page.route("**/ingest", lambda route: route.abort())
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .queue")).to_contain_text("to be sent")
    page.unroute("**/ingest")
    page.route("**/api/v1/devices", lambda route: None)
    with page.expect_response("**/ingest"):
        page.reload()


def test_position_is_not_called_sent_before_it_is(browser, daemon):
    """The positions in the browser's database are counted while another one comes."""
    context = browser.context(geolocation=place(5), service_workers="block")
    # The answers of the database come late, in their order: one that counts is over before one that stores begins.
    context.add_init_script("""
      window.answers = [];
      for (const [{ prototype }, name] of [[IDBIndex, "count"], [IDBObjectStore, "add"]]) {
        const perform = prototype[name];
        prototype[name] = function (...values) {
          const request = perform.apply(this, values);
          if (window.answers) Object.defineProperty(request, "onsuccess", {
            set(show) {
              request.addEventListener("success", () => (window.answers ? window.answers.push([name, show]) : show()));
            },
          });
          return request;
        };
      }
    """)
    page = browser.open(context=context)
    gate = Gate(page, "**/ingest")
    name_phone(page)
    page.wait_for_function("() => window.answers.length > 0")
    page.get_by_role("button", name="Start").click()
    queue = page.locator("#now .queue")
    expect(queue).to_contain_text("1 position waits")
    page.wait_for_function("() => window.answers.some(([name]) => name === 'add')")
    page.evaluate("{ const answers = window.answers; window.answers = null; for (const [_, show] of answers) show(); }")
    gate.wait()
    page.wait_for_timeout(300)
    # Without patience: the position is sent again later, and counted before that.
    assert "1 position waits" in queue.inner_text()
    gate.open()
    expect(queue).to_have_text("Everything is sent")


def test_location_found_of_a_device_that_is_erased_is_not_shown(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open()
    page.get_by_label("Device", exact=True).select_option("anna")
    page.get_by_role("button", name="Start").click()
    reading = page.locator("#now .reading")
    expect(reading).to_contain_text("± 5 m · ")
    daemon.send("DELETE", "/api/v1/devices/anna")
    with page.expect_response("**/api/v1/devices"):
        visit(page, "fences")
    visit(page, "now")
    expect(reading).to_have_text("No location yet")


def test_late_answer_shows_no_location_of_an_erased_device(browser, daemon):
    daemon.send_fixes("anna", walk(**HOME, distances=[0, 1, 2]))
    page = browser.open(service_workers="block")
    held = []
    page.route("**/devices/anna/fix", lambda route: held.append((route, route.fetch())), times=1)
    page.get_by_label("Device", exact=True).select_option("anna")
    wait_on(page, lambda: held)
    daemon.send("DELETE", "/api/v1/devices/anna")
    reading = page.locator("#now .reading")
    with page.expect_response("**/api/v1/devices"):
        visit(page, "fences")
    visit(page, "now")
    expect(reading).to_have_text("No location yet")
    route, response = held[0]
    route.fulfill(response=response)
    page.wait_for_timeout(500)
    expect(reading).to_have_text("No location yet")


def test_name_that_is_given_up_in_the_settings_is_not_taken(browser):
    page = browser.open()
    name_phone(page)
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of this phone").fill("carla")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert page.evaluate("localStorage.getItem('whereabouts.phone')") == "berta"
    page.get_by_role("button", name="Settings").click()
    dialog.get_by_label("Name of this phone").fill("dora")
    dialog.get_by_role("button", name="Close").click()
    expect(page.locator("#now").get_by_label("Name of this phone")).to_have_value("dora")


def test_signing_out_before_the_queue_is_open_deletes_what_waits(browser):
    context = browser.context(geolocation=place(5))
    context.add_init_script("""Object.defineProperty(IDBOpenDBRequest.prototype, "onsuccess", {
      set(show) {
        this.addEventListener("success", (event) => {
          if (sessionStorage.getItem("late")) window.openQueue = show;
          else show(event);
        });
      },
    })""")
    page = browser.open(context=context)
    name_phone(page)
    page.route("**/ingest", lambda route: route.abort())
    with page.expect_request("**/ingest"):
        page.get_by_role("button", name="Start").click()
    page.evaluate("sessionStorage.setItem('late', 'yes')")
    # Signing out waits for the queue as long as the test does.
    page.clock.install()
    page.reload()
    wait_on(page, lambda: page.evaluate("Boolean(window.openQueue)"))
    page.get_by_role("button", name="Settings").click()
    # A second press asks no second time.
    page.get_by_role("button", name="Sign out").dblclick()
    page.evaluate("{ sessionStorage.removeItem('late'); window.openQueue(); }")
    expect(page.locator("dialog")).to_have_count(2)
    dialog = page.get_by_role("dialog")
    expect(dialog.last).to_contain_text("1 position has not reached the server yet.")
    dialog.get_by_role("button", name="Sign out and delete").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    count = page.evaluate("""() => new Promise((resolve) => {
      indexedDB.open("whereabouts").onsuccess = ({ target }) => {
        target.result.transaction("fixes").objectStore("fixes").count().onsuccess = ({ target }) => resolve(target.result);
      };
    })""")
    assert count == 0


def test_signing_out_does_not_need_a_queue_that_opens(browser):
    """Some browsers do not answer until they are started again."""
    context = browser.context()
    context.add_init_script("IDBFactory.prototype.open = () => new EventTarget()")
    page = browser.open(context=context)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()


def test_name_that_is_given_up_by_going_back_is_not_taken(browser):
    page = browser.open()
    name_phone(page)
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of this phone").press_sequentially("carla")
    page.evaluate("history.back()")
    expect(dialog).to_have_count(0)
    assert page.evaluate("localStorage.getItem('whereabouts.phone')") == "berta"


def test_link_that_is_left_keeps_what_waits(browser, daemon):
    context = browser.context(geolocation=place(5))
    page = browser.open(context=context)
    name_phone(page)
    page.route("**/ingest", lambda route: route.abort())
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .queue")).to_have_text("1 position waits to be sent")
    send_now(daemon, 0)
    guest = context.new_page()
    guest.goto(f"{daemon.url}/#token={daemon.create_token('--device', 'anna', '--read')}")
    guest.get_by_role("button", name="Show").click()
    guest.get_by_role("button", name="Settings").click()
    guest.get_by_role("button", name="Sign out").click()
    expect(guest.get_by_role("button", name="Sign in")).to_be_visible()
    page.unroute("**/ingest")
    page.evaluate("dispatchEvent(new Event('online')); 0")
    expect(page.locator("#now .queue")).to_have_text("Everything is sent")
    assert len(daemon.fixes("berta")) == 1


def test_signing_out_asks_for_what_waits_under_an_earlier_name(browser):
    page = browser.open(geolocation=place(5))
    name_phone(page)
    page.route("**/ingest", lambda route: route.abort())
    page.get_by_role("button", name="Start").click()
    expect(page.locator("#now .queue")).to_have_text("1 position waits to be sent")
    page.get_by_role("button", name="Settings").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name of this phone").fill("carla")
    dialog.get_by_role("button", name="Close").click()
    # Nothing waits under the new name.
    wait_for_state(page, "({ outbox }) => outbox.waiting === 0")
    page.get_by_role("button", name="Settings").click()
    dialog.get_by_role("button", name="Sign out").click()
    expect(dialog.last).to_contain_text("1 position has not reached the server yet.")
