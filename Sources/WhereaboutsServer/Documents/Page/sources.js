// The two kinds of sources of a search: this phone, and a device of the server.

import { api, OfflineError } from "./api.js";
import { desiredAccuracy, longestSearch } from "./finder.js";

/** A reading of the browser as a fix in the form of the server.
 *
 * The browser states the height above the ellipsoid, and the radius as the system has it: of Android's that is 68 %.
 * A system that states 95 % is taken as less accurate than it is, never as more. */
export function fixOfPosition({ coords, timestamp }) {
  const fix = { time: new Date(timestamp).toISOString(), lat: coords.latitude, lon: coords.longitude };
  const known = (value) => value != null && Number.isFinite(value) && value >= 0;
  if (known(coords.accuracy)) fix.hacc = coords.accuracy;
  if (coords.altitude != null && Number.isFinite(coords.altitude)) fix.altHAE = coords.altitude;
  if (fix.altHAE != null && known(coords.altitudeAccuracy)) fix.vacc = coords.altitudeAccuracy;
  if (known(coords.speed)) fix.speed = coords.speed;
  if (known(coords.heading) && coords.heading < 360) fix.track = coords.heading;
  return fix;
}

/** This phone. `onFix(fix)` gets each reading, `onProblem(kind)` "denied" or "unavailable". */
export class PhoneSource {
  /** A reading that is older is an old one of the system's. */
  static greatestAge = 5;
  #watch = null;
  #lastTime = 0;

  start({ onFix, onProblem }) {
    if (!isSecureContext || !navigator.geolocation) return onProblem("insecure");
    this.#watch = navigator.geolocation.watchPosition(
      (position) => {
        if (position.timestamp === this.#lastTime) return;
        this.#lastTime = position.timestamp;
        onFix(fixOfPosition(position));
      },
      (error) => {
        if (error.code === error.PERMISSION_DENIED) onProblem("denied");
        if (error.code === error.POSITION_UNAVAILABLE) onProblem("unavailable");
      },
      { enableHighAccuracy: true, maximumAge: 0 });
  }

  stop() {
    if (this.#watch != null) navigator.geolocation.clearWatch(this.#watch);
    this.#watch = null;
  }
}

/** A device of the server, which is asked for a fix and whose stream of fixes is passed on by `process`. */
export class DeviceSource {
  /** The age that the server accepts for a request of some metres. */
  static greatestAge = 60;
  #name;
  #abort = null;
  #onFix = null;

  constructor(name) { this.#name = name; }

  async start({ onFix, onProblem }) {
    this.#onFix = onFix;
    this.#abort = new AbortController();
    try {
      const fix = await api.awaitFix(this.#name, desiredAccuracy, longestSearch / 1000, this.#abort.signal);
      if (fix) this.process(fix);
    } catch (error) {
      if (error instanceof OfflineError) onProblem("offline");
    }
  }

  process(fix) { this.#onFix?.(fix); }

  stop() {
    this.#onFix = null;
    this.#abort?.abort();
  }
}
