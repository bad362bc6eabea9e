// The state that the views show: the chosen source, its newest fix, its crossings and days, and the fences.

import { api, ApiError, clock, OfflineError } from "./api.js";
import { Finder } from "./finder.js";
import * as format from "./format.js";
import { Outbox } from "./outbox.js";
import { session } from "./session.js";
import { DeviceSource, PhoneSource } from "./sources.js";
import { EventStream } from "./stream.js";

/** The source that stands for this phone, beside the names of devices. No device has an empty name. */
export const phone = "";
/** The name that stands for the local times that recordings state, beside the names of zones. */
export const statedZone = "stated";
const pageOfCrossings = 100;
/** The quarter of an hour in milliseconds. A day begins at one in every time zone. */
const quarter = 900_000;
/** The time in milliseconds after which a source without a stream is read again where there was no answer. */
const retryInterval = 5000;

/** The state, which sends an event of the name of each part that changes. */
class State extends EventTarget {
  devices = [];
  source = phone;
  /** The newest fix of the source, with `time` as a `Date`. */
  fix = null;
  fences = { features: [], tag: null };
  trips = [];
  isOnline = false;
  /** Whether the last try to reach the server failed. */
  isDisconnected = false;
  finder = new Finder();
  outbox = new Outbox(() => (session.mayWrite ? session.phoneName : ""));
  /** The crossings by their ids: each in its newest version. */
  crossings = new Map();
  hasOlderCrossings = false;
  /** Whether the newest fix of the source is known, also that there is none, its crossings, its days, and the devices. */
  hasLastFix = false;
  hasCrossings = false;
  hasTrips = false;
  hasDevices = false;
  /** The numbers of revocations by the ids of their crossings, which may be read later. */
  #revocations = new Map();
  /** The quarter of an hour of the newest fix of the stream. */
  #newestQuarter = 0;
  #firstNumber = 0;
  /** The mark of the seen crossings that is of another store. */
  #foreignMark = null;
  #lastNumber = 0;
  /** The numbers of requests for the devices and for the fences, and those of the newest ones that were answered. */
  #deviceReads = 0;
  #newestDeviceRead = 0;
  #fenceReads = 0;
  #newestFenceRead = 0;
  /** The number of readings of the trips. The answer of an earlier one comes too late. */
  #tripReads = 0;
  /** The number of times that what was read of the source was dropped. What was asked for before comes too late. */
  #clearings = 0;
  /** The time of the newest location at the end of the last search. */
  #searchedUntil = 0;
  #isClosed = false;
  #stream = null;
  #running = null;
  #retry = null;

  #changed(part) { this.dispatchEvent(new Event(part)); }

  /** The name of the source's device; empty for a phone without a name. */
  get device() { return this.source === phone ? session.phoneName : this.source; }

  /** The location of the source: the best one of a search, until a newer one comes after its end. */
  get location() {
    const { best, isRunning } = this.finder;
    return best && (isRunning || !(this.fix?.time > this.#searchedUntil)) ? best : this.fix;
  }

  /** The present in milliseconds by the clock that the times of the source are compared with: this phone's own, or the
   * server's. */
  get now() { return Date.now() - (this.source === phone ? 0 : clock.ahead); }

  /** Reads what the token may see, and begins to follow. */
  async open() {
    addEventListener("storage", ({ key }) => this.#processChange(key));
    this.outbox.addEventListener("change", () => this.#changed("outbox"));
    this.outbox.open().then(() => this.outbox.send());
    const reading = this.loadDevices();
    const last = localStorage.getItem("whereabouts.source");
    // The last choice stands at once: a search may begin before the devices are known, and without a connection.
    const wanted = last && session.mayRead ? last : session.mayWrite ? phone : null;
    if (wanted != null) this.#choose(wanted);
    await reading;
    const isKnown = wanted === phone || wanted != null && (this.devices.length === 0 || this.exists(wanted));
    if (!isKnown && this.source === (wanted ?? phone)) this.#choose(session.mayWrite ? phone : this.devices[0]?.id ?? phone);
  }

  /** Takes over what another tab has changed: the marks of seen crossings, the name of this phone, or the zone. */
  #processChange(key) {
    if (key?.startsWith("whereabouts.seen.")) this.#changed("crossings");
    if (key === "whereabouts.phone" && session.rights?.device == null) this.#useName();
    if (key === `whereabouts.zone.${this.device}`) this.#useZone();
  }

  async loadDevices() {
    if (!session.mayRead) return;
    const number = ++this.#deviceReads;
    const devices = await ignoringFailure(api.devices());
    // An answer that was overtaken by a later one may be older.
    if (devices && number > this.#newestDeviceRead) {
      this.#newestDeviceRead = number;
      this.devices = devices;
      this.hasDevices = true;
    }
    this.#changed("devices");
  }

  select(source) {
    localStorage.setItem("whereabouts.source", source);
    this.#choose(source);
  }

  /** Gives this phone its name, under which its positions are sent. */
  rename(name) {
    session.phoneName = name;
    this.#useName();
  }

  #useName() {
    if (this.source === phone) this.#choose(phone);
    this.outbox.send();
  }

  #choose(source) {
    this.#endSearch();
    this.#stream?.close();
    this.#stream = null;
    clearTimeout(this.#retry);
    this.source = source;
    format.setTimeZone(this.zone);
    this.#clear();
    if (!session.mayRead) return;
    const name = this.device;
    if (!name) {
      this.#readWithoutStream();
      return;
    }
    this.#stream = new EventStream(name, {
      onState: (isOpen) => {
        this.#setConnected(isOpen);
        if (this.device !== name) return;
        // Also what happened while there was no connection, or before the stream began.
        if (isOpen) this.refresh();
        else if (!this.hasTrips) this.#changed("unreadTrips");
      },
      onEvent: (kind, data) => {
        if (this.device !== name) return;
        if (kind === "fix") this.#processDeviceFix(data);
        if (kind === "crossing") this.#processCrossing(data);
      },
    });
  }

  /** Ends the search, and drops what it found. */
  #endSearch() {
    this.stop();
    this.finder = new Finder();
  }

  /** Drops what was read of the source. */
  #clear() {
    this.#clearings += 1;
    this.fix = null;
    this.trips = [];
    this.crossings = new Map();
    this.#revocations = new Map();
    this.hasOlderCrossings = this.hasLastFix = this.hasCrossings = this.hasTrips = false;
    this.#firstNumber = this.#lastNumber = this.#newestQuarter = 0;
    this.#foreignMark = null;
    for (const part of ["source", "fix", "trips", "crossings", "finder"]) this.#changed(part);
  }

  #setConnected(isConnected) {
    this.isOnline = isConnected;
    this.isDisconnected = !isConnected;
    this.#changed("connection");
  }

  /** Reads the fences of a source without a device, again until the server answers: no stream reports the connection. */
  async #readWithoutStream() {
    await this.loadDevices();
    const isConnected = await this.loadFences();
    // Meanwhile a device may have been chosen, or the person been signed out.
    if (this.device || this.#isClosed) return;
    this.#setConnected(isConnected);
    clearTimeout(this.#retry);
    if (!isConnected) this.#retry = setTimeout(() => this.#readWithoutStream(), retryInterval);
  }

  /** The time zone of the source's times that the person has chosen; empty for the browser's, `statedZone` for days alone. */
  get zone() { return localStorage.getItem(`whereabouts.zone.${this.device}`) ?? ""; }

  /** The name of the zone that the server divides the days in. */
  get zoneOfDays() { return this.zone === statedZone ? statedZone : format.timeZone(); }

  setZone(name) {
    const key = `whereabouts.zone.${this.device}`;
    if (name) localStorage.setItem(key, name);
    else localStorage.removeItem(key);
    this.#useZone();
  }

  #useZone() {
    format.setTimeZone(this.zone);
    for (const part of ["zone", "crossings", "trips"]) this.#changed(part);
  }

  close() {
    this.#isClosed = true;
    this.stop();
    clearTimeout(this.#retry);
    this.#stream?.close();
    this.#stream = null;
  }

  /** Reads everything of the source again. An answer of before with the trips comes too late from now on. */
  async refresh() {
    const name = this.device, existed = this.exists(name), tripRead = ++this.#tripReads;
    await this.loadDevices();
    // A device begins with its first fix. Until then there is nothing to read.
    if (!this.exists(name)) {
      // Of an erased device nothing stays on the screen.
      if (existed && name === this.device) {
        // A search on this phone is its own, and goes on.
        if (this.source !== phone) this.#endSearch();
        this.#clear();
      }
      return void await this.loadFences();
    }
    await Promise.all([this.#loadTrips(tripRead), this.loadFences(), this.#loadLastFix(name), this.#loadCrossings(name)]);
  }

  get hasFences() { return this.fences.tag != null; }

  /** Whether the server has nothing of the source: a device begins with its first fix. */
  get isUnstarted() { return this.hasDevices && !this.exists(this.device); }

  exists(name) { return this.devices.some(({ id }) => id === name); }

  async #loadLastFix(name) {
    const clearings = this.#clearings, fix = await ignoringFailure(api.lastFix(name));
    if (fix === undefined || name !== this.device || clearings !== this.#clearings) return;
    this.hasLastFix = true;
    if (fix) this.#show(fix);
    else this.#changed("fix");
  }

  /** Reads the trips of the days, unless a later reading has begun. Where that fails, the event is "unreadTrips". */
  async #loadTrips(number = ++this.#tripReads) {
    const name = this.device, clearings = this.#clearings;
    if (!name || !session.mayRead || number !== this.#tripReads) return;
    const trips = await ignoringFailure(api.trips(name));
    if (name !== this.device || number !== this.#tripReads || clearings !== this.#clearings) return;
    if (!trips) return this.#changed("unreadTrips");
    this.trips = trips.reverse();
    this.hasTrips = true;
    this.#changed("trips");
  }

  // Fences

  /** Reads the fences, and returns whether the server has answered. */
  async loadFences() {
    if (!session.mayRead) return false;
    const number = ++this.#fenceReads;
    const fences = await ignoringFailure(api.fences());
    if (!fences) return false;
    // An answer that was overtaken by a later one may be older.
    if (number < this.#newestFenceRead) return true;
    this.#newestFenceRead = number;
    if (fences.tag !== this.fences.tag) {
      this.fences = fences;
      this.#changed("fences");
    }
    return true;
  }

  fence(id) { return this.fences.features.find((feature) => String(feature.id) === id); }

  /** Adds or replaces fences.
   *
   * @throws ApiError 412 if somebody has changed the fences since they were read; they are read again. */
  async setFences(features, signal) {
    await this.changeFences(() =>
      api.setFences(JSON.stringify({ type: "FeatureCollection", features }), this.fences.tag, { signal }));
  }

  async changeFences(change) {
    try {
      return await change();
    } finally {
      await this.loadFences();
    }
  }

  // Crossings

  async #loadCrossings(name) {
    const clearings = this.#clearings, isLate = () => name !== this.device || clearings !== this.#clearings;
    if (!this.hasCrossings) {
      const page = await ignoringFailure(api.newestCrossings(name, pageOfCrossings));
      if (!page || isLate()) return;
      // The older ones may have been read since another answer.
      if (this.hasCrossings) return this.#add(page.crossings, page.last);
      this.hasCrossings = true;
      // A server with another store counts anew. A later mark is that of another tab, which knows more crossings.
      if (this.seenNumber > page.last) this.#foreignMark = this.seenNumber;
      // The page may reach further back than its size: crossings that the token may not see are left out.
      this.#firstNumber = Math.max(1, Math.min(page.last - pageOfCrossings + 1, page.crossings[0]?.number ?? 1));
      this.hasOlderCrossings = this.#firstNumber > 1;
      return this.#add(page.crossings, page.last);
    }
    for (;;) {
      const page = await ignoringFailure(api.crossingsAfter(name, this.#lastNumber, 1000));
      if (!page || isLate() || page.last <= this.#lastNumber) return;
      this.#add(page.crossings, page.last);
    }
  }

  async loadOlderCrossings() {
    const name = this.device, first = this.#firstNumber, clearings = this.#clearings;
    const begin = Math.max(0, first - 1 - pageOfCrossings);
    const page = await api.crossingsAfter(name, begin, first - 1 - begin);
    if (name !== this.device || first !== this.#firstNumber || clearings !== this.#clearings) return;
    this.#firstNumber = begin + 1;
    this.hasOlderCrossings = begin > 0;
    this.#add(page.crossings.filter(({ number }) => number < first));
  }

  #processCrossing(record) {
    // A gap means that the first page is still on its way: it has this record too.
    if (this.hasCrossings && record.number === this.#lastNumber + 1) this.#add([record]);
    else if (record.number > this.#lastNumber) this.#loadCrossings(this.device);
    // A fence that was to end with its event has ended.
    this.loadFences();
  }

  #add(records, last = 0) {
    this.#lastNumber = Math.max(this.#lastNumber, last);
    for (const record of records) {
      this.#lastNumber = Math.max(this.#lastNumber, record.number);
      // The removal of a fence is no crossing.
      if (record.id == null) continue;
      if (record.revoked) this.#revocations.set(record.id, record.number);
      let crossing = this.crossings.get(record.id);
      if (!record.revoked && (!crossing || crossing.number < record.number)) {
        crossing = { ...record, time: new Date(record.time) };
      }
      // A crossing from before the first page may be read after its revocation.
      const revocation = this.#revocations.get(record.id);
      if (crossing && revocation) crossing = { ...crossing, revoked: true, number: Math.max(crossing.number, revocation) };
      if (crossing) this.crossings.set(record.id, crossing);
    }
    this.#changed("crossings");
  }

  // The number of the last crossing that the person has seen. It is in this browser, so that it survives a reload and
  // a restart of the server.

  get seenNumber() {
    const number = Number(localStorage.getItem(`whereabouts.seen.${this.device}`));
    return number === this.#foreignMark && number > this.#lastNumber ? 0 : number;
  }

  isNew(crossing) { return crossing.number > this.seenNumber; }

  /** The number of new crossings that are read. */
  get newCount() { return [...this.crossings.values()].filter((crossing) => this.isNew(crossing)).length; }

  /** Whether crossings that are not read yet are new, too. */
  get hasMoreNew() { return this.hasOlderCrossings && this.#firstNumber > this.seenNumber + 1; }

  markSeen() {
    localStorage.setItem(`whereabouts.seen.${this.device}`, String(this.#lastNumber));
    this.#changed("crossings");
  }

  // The search

  start(follows) {
    this.stop();
    const source = this.source === phone ? new PhoneSource() : new DeviceSource(this.source);
    const finder = this.finder;
    finder.start(performance.now(), { follows, greatestAge: source.constructor.greatestAge });
    this.#running = {
      source,
      timer: setInterval(() => { if (finder.tick(performance.now())) this.#endSource(); }, 500),
    };
    this.#changed("finder");
    source.start({
      onFix: (fix) => this.#processFix(fix),
      onProblem: (problem) => {
        if (["denied", "insecure"].includes(problem)) {
          finder.deny();
          if (problem === "insecure") finder.reason = "insecure";
          this.#endSource();
        } else {
          finder.report(problem);
          this.#changed("finder");
        }
      },
    });
  }

  stop() {
    this.finder.stop();
    this.#endSource();
  }

  #endSource() {
    if (!this.#running) return;
    clearInterval(this.#running.timer);
    this.#running.source.stop();
    this.#running = null;
    this.#searchedUntil = Math.max(this.fix?.time ?? 0, this.finder.best?.time ?? 0);
    this.#changed("finder");
  }

  #processFix(fix) {
    if (this.source === phone) {
      if (session.mayWrite) this.outbox.add(fix);
      this.#show(fix);
    }
    const used = this.finder.process(dated(fix), this.now);
    if (!this.finder.isRunning) this.#endSource();
    else if (used) this.#changed("finder");
  }

  #processDeviceFix(fix) {
    const newest = Math.floor(Date.parse(fix.time) / quarter);
    if (!this.exists(this.device)) this.refresh();
    // Another day may have begun.
    else if (newest > this.#newestQuarter) this.#loadTrips();
    if (newest > this.#newestQuarter) this.#newestQuarter = newest;
    // This phone knows its own place earlier.
    if (this.source === phone && this.#running) return;
    this.#show(fix);
    if (this.source !== phone) this.#running?.source.process(fix);
  }

  #show(fix) {
    const shown = dated(fix);
    if (this.fix?.time && shown.time && shown.time < this.fix.time) return;
    this.fix = shown;
    this.#changed("fix");
  }
}

function dated(fix) {
  return { ...fix, time: fix.time ? new Date(fix.time) : null };
}

/** Returns the value, or `undefined` if there is no connection or the server refuses. The stream tries again. */
async function ignoringFailure(promise) {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
    return undefined;
  }
}

export const state = new State();
