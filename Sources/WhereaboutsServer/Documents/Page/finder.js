// The search for the present place: one control that starts, shows the search, and stops.
//
// No clock and no receiver here: each function gets the time in milliseconds, so every rule can be tested alone.

import { distance } from "./geo.js";

/** The accuracy in metres that ends a search. */
export const desiredAccuracy = 10;
/** A worse accuracy than this, in metres, is a weak signal. */
export const weakAccuracy = 20;
/** The time in milliseconds after which a search without any location ends. */
export const longestSearch = 30_000;
/** Two locations closer than this, in metres, are the same place. */
const samePlace = 1;

/** The state of a search.
 *
 * `phase` is "idle", "searching", "found" (the search goes on), "stopped" (by the person, or because the location is
 * good) or "failed", with its `reason`: "denied", "unavailable", "none" or "offline". `best` is the location. */
export class Finder {
  phase = "idle";
  reason = null;
  best = null;
  /** The reason of the end: "person", "accurate" or "still". */
  end = null;
  #follows = false;
  #greatestAge = 5;
  #started = 0;
  #problem = null;

  get isRunning() { return this.phase === "searching" || this.phase === "found"; }

  /** Whether the location is too inaccurate for most purposes. */
  get isWeak() { return this.best != null && !(this.best.hacc <= weakAccuracy); }

  /** Begins a search.
   *
   * @param follows whether it goes on after a good location.
   * @param greatestAge the age in seconds beyond which a location is ignored. */
  start(now, { follows, greatestAge }) {
    Object.assign(this, { phase: "searching", reason: null, best: null, end: null });
    this.#follows = follows;
    this.#greatestAge = greatestAge;
    this.#started = now;
    this.#problem = null;
  }

  stop() {
    if (this.isRunning) this.#finish("person");
  }

  #finish(end) {
    this.phase = this.best || end === "person" ? "stopped" : "idle";
    this.end = end;
  }

  /** Processes a location, whose `time` is a `Date` or absent; returns whether it was used. */
  process(fix, now) {
    if (!this.isRunning) return false;
    if (fix.hacc != null && !(fix.hacc >= 0)) return false;
    if (fix.time && now - fix.time > this.#greatestAge * 1000) return false;
    const previous = this.best;
    if (this.#follows) {
      if (previous?.time && fix.time && fix.time < previous.time) return false;
      this.#use(fix);
      return true;
    }
    const accuracy = fix.hacc ?? Infinity, bestAccuracy = previous?.hacc ?? Infinity;
    if (previous && accuracy >= bestAccuracy) {
      if (distance(previous, fix) < samePlace) this.#finish("still");
      return false;
    }
    this.#use(fix);
    if (accuracy <= desiredAccuracy) this.#finish("accurate");
    return true;
  }

  #use(fix) {
    this.best = fix;
    this.phase = "found";
    this.#problem = null;
  }

  /** Ends the search because the person or the browser does not allow locations. */
  deny() { if (this.isRunning) this.#fail("denied"); }

  /** Notes that there is no location at present. A search without any location says so at its end. */
  report(problem) { this.#problem = problem; }

  #fail(reason) {
    this.phase = "failed";
    this.reason = reason;
  }

  /** Ends a search that has found nothing for too long; returns whether it did. */
  tick(now) {
    if (this.phase !== "searching" || now - this.#started < longestSearch) return false;
    this.#fail(this.#problem ?? "none");
    return true;
  }
}
