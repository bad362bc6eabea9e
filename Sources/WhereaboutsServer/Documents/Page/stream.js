// The server's event stream, read by fetch: an EventSource could not send the token in a header.

import { ApiError, OfflineError, request } from "./api.js";
import { waitForRelease } from "./dom.js";

/** The server sends something every 15 s. Silence for longer means that the connection is dead. */
const silence = 40_000;
const shortestDelay = 1_000, longestDelay = 30_000;

/** Follows one device until it is closed.
 *
 * `onEvent(kind, data)` gets each event, `onState(isOpen)` each change of the connection. A lost connection is opened
 * again with the id of the last event, at once after the browser says that it is online, else with growing delays. */
export class EventStream {
  #device;
  #handlers;
  #lastID = null;
  #delay = shortestDelay;
  #abort = null;
  #isClosed = false;
  #wake = () => {};
  /** The time of the last sign of life of the open connection, in milliseconds. */
  #heard = Infinity;

  constructor(device, handlers) {
    this.#device = device;
    this.#handlers = handlers;
    addEventListener("online", this.#hurry);
    document.addEventListener("visibilitychange", this.#hurry);
    this.#run();
  }

  close() {
    this.#isClosed = true;
    removeEventListener("online", this.#hurry);
    document.removeEventListener("visibilitychange", this.#hurry);
    this.#abort?.abort();
    this.#wake();
  }

  #hurry = () => {
    if (document.visibilityState === "hidden") return;
    this.#delay = shortestDelay;
    // A device that has slept stops timers too, and its connection is gone without a word.
    if (Date.now() - this.#heard > silence) this.#abort?.abort();
    this.#wake();
  };

  async #run() {
    while (!this.#isClosed) {
      try {
        await this.#read();
      } catch (error) {
        if (error instanceof ApiError && [401, 403].includes(error.status)) return;
        if (!(error instanceof ApiError || error instanceof OfflineError || error.name === "AbortError")) {
          console.warn("stream", error);
        }
      }
      await waitForRelease();
      if (this.#isClosed) return;
      this.#handlers.onState(false);
      await new Promise((resolve) => {
        // Spread, so that not all pages come back at the same instant after a restart.
        const timer = setTimeout(resolve, this.#delay * (0.5 + Math.random() / 2));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#delay = Math.min(longestDelay, this.#delay * 2);
    }
  }

  async #read() {
    this.#abort = new AbortController();
    const headers = { Accept: "text/event-stream" };
    if (this.#lastID != null) headers["Last-Event-ID"] = this.#lastID;
    let rest = "", watchdog;
    const watch = () => {
      this.#heard = Date.now();
      clearTimeout(watchdog);
      watchdog = setTimeout(() => this.#abort.abort(), silence);
    };
    // Also a network that answers nothing at all is no connection.
    watch();
    try {
      const response = await request(`/api/v1/stream?device=${encodeURIComponent(this.#device)}`, {
        headers, signal: this.#abort.signal,
      });
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      watch();
      // The views change with the connection, and with each event.
      await waitForRelease();
      if (this.#isClosed) return;
      this.#handlers.onState(true);
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        watch();
        this.#delay = shortestDelay;
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop();
        await waitForRelease();
        if (this.#isClosed) return;
        for (const block of blocks) this.#dispatch(block);
      }
    } catch (error) {
      if (error.name === "AbortError" || error instanceof ApiError) throw error;
      throw new OfflineError("", { cause: error });
    } finally {
      this.#heard = Infinity;
      clearTimeout(watchdog);
    }
  }

  #dispatch(block) {
    const event = {};
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
    }
    if (event.id != null) this.#lastID = event.id;
    if (event.data == null) return;
    this.#handlers.onEvent(event.event, JSON.parse(event.data));
  }
}
