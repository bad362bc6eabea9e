// This phone's positions on their way to the server: stored in the browser until the server has them on its disk.

import { api, ApiError } from "./api.js";

const table = "fixes";
/** About a day of one position a second. */
export const capacity = 100_000;
const batchSize = 500;
const longestDelay = 60_000;

function openDatabase() {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("whereabouts", 1);
    opening.onupgradeneeded = () => {
      // The key is the order of arrival.
      opening.result.createObjectStore(table, { autoIncrement: true }).createIndex("device", "device");
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
}

function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** A queue that sends each position once, in the order of its arrival.
 *
 * A position leaves the queue with the server's answer. If the answer is lost, the position is sent again; the server
 * recognises the repetition. Of several tabs one sends. */
export class Outbox extends EventTarget {
  #database = null;
  /** Ends once the queue is open, or cannot be opened. Until then `waiting` counts nothing from before. */
  opening = null;
  #device = () => "";
  #timer = null;
  #delay = 1_000;
  #isSending = false;
  /** The number of positions on their way into the database, which it may not count yet. */
  #storing = 0;
  /** The number of positions that wait. */
  waiting = 0;
  /** The reason why positions wait: `null`, "offline", "full", "storage", or the text of the server's refusal. */
  problem = null;
  /** The number of positions that the server has not stored since the page was opened. */
  rejected = 0;

  /** @param device returns the name under which positions are sent now. */
  constructor(device) {
    super();
    this.#device = device;
    addEventListener("online", () => this.send());
  }

  open() { return this.opening = this.#open(); }

  async #open() {
    try {
      this.#database = await openDatabase();
      await this.#count();
    } catch {
      this.problem = "storage";
    }
    this.#changed();
  }

  /** Begins a transaction. A browser may have closed the database, as while a phone sleeps. */
  async #rows(mode) {
    try {
      return this.#database.transaction(table, mode).objectStore(table);
    } catch {
      this.#database = await openDatabase();
      return this.#database.transaction(table, mode).objectStore(table);
    }
  }

  async #count() {
    const name = this.#device();
    const stored = name ? await settled((await this.#rows("readonly")).index("device").count(name)) : 0;
    this.waiting = stored + (name ? this.#storing : 0);
  }

  #changed() { this.dispatchEvent(new Event("change")); }

  /** Stores a position and begins to send. */
  async add(fix) {
    const name = this.#device();
    if (!name) return;
    if (this.waiting >= capacity) {
      this.problem = "full";
      return this.#changed();
    }
    // Counted at once, so that nobody reads that everything is sent.
    this.waiting += 1;
    this.#storing += 1;
    this.#changed();
    try {
      // A search may begin before the queue is open.
      await this.opening;
      await settled((await this.#rows("readwrite")).add({ device: name, fix }));
    } catch {
      this.waiting -= 1;
      this.problem = "storage";
    } finally {
      this.#storing -= 1;
    }
    this.#changed();
    await this.send();
  }

  /** Counts every position that waits, of every device. */
  async countAll() {
    try {
      return await settled((await this.#rows("readonly")).count()) + this.#storing;
    } catch {
      // The browser's database fails. What was counted before is known.
      return this.waiting;
    }
  }

  /** Deletes every position, of every device. */
  async clear() {
    if (this.#database) await settled((await this.#rows("readwrite")).clear());
    this.waiting = 0;
    this.problem = null;
    this.#changed();
  }

  /** Sends what waits for the present device. */
  async send() {
    clearTimeout(this.#timer);
    if (this.#isSending || !this.#database || !this.#device()) return;
    this.#isSending = true;
    try {
      await this.#exclusively(async () => {
        while (await this.#sendBatch(this.#device())) {
          this.#delay = 1_000;
          this.problem = null;
          this.#changed();
        }
      });
    } catch (error) {
      this.problem = error instanceof ApiError ? error.message : "offline";
      const isFinal = error instanceof ApiError && [401, 403].includes(error.status);
      if (!isFinal) this.#timer = setTimeout(() => this.send(), this.#delay);
      this.#delay = Math.min(longestDelay, this.#delay * 2);
    } finally {
      this.#isSending = false;
    }
    await this.#count();
    this.#changed();
    // A position may have come while the last answer was under way.
    if (this.waiting > 0 && this.problem === null) await this.send();
  }

  #exclusively(body) {
    return navigator.locks ? navigator.locks.request("whereabouts.outbox", body) : body();
  }

  /** Sends the oldest positions; returns whether there were any. */
  async #sendBatch(name) {
    const rows = (await this.#rows("readonly")).index("device");
    const [keys, values] = await Promise.all([
      settled(rows.getAllKeys(name, batchSize)), settled(rows.getAll(name, batchSize)),
    ]);
    if (keys.length === 0) return false;
    const { rejected = 0 } = await api.ingest(values.map(({ fix }) => JSON.stringify({ device: name, ...fix })));
    this.rejected += rejected;
    const deletion = await this.#rows("readwrite");
    await Promise.all(keys.map((key) => settled(deletion.delete(key))));
    await this.#count();
    return true;
  }
}
