// The days of a device as a timeline of visits, journeys and gaps, for the device's owner, who names its places.

import { api, ApiError, clock, OfflineError } from "./api.js";
import { button, disable, field, fill, focusOn, h, openDialog, setText } from "./dom.js";
import { downloadTable } from "./export.js";
import * as format from "./format.js";
import { openLinks } from "./share.js";
import { state, statedZone } from "./state.js";
import { t } from "./strings.js";
import { visitName } from "./texts.js";
import { showOnMap } from "./view-map.js";

const daysOfPage = 7;
const longestName = 200;
const dayLength = 86_400_000;
/** The greatest number of days of an answer. */
const mostDays = 62;
/** The days ahead of today, in every zone, that the newest position may lie in: its clock may be a day ahead. */
const daysAhead = 2;

export class Timeline {
  element = h("div", { class: "days" });
  #notice = h("p", { class: "hint", role: "status" });
  #days = h("div");
  #older = button(t("days.older"), async () => {
    const known = this.#shown.length, device = this.#device, isFocused = document.activeElement === this.#older;
    this.#count = this.#readCount + daysOfPage;
    await this.#load();
    // A week without positions shows nothing. The days before it come at once.
    if (this.#shown.length === known && !this.#older.hidden && !this.hasFailed && device === this.#device) {
      this.#count = mostDays - mostDays % daysOfPage;
      await this.#load();
    }
    // With the last ones the button goes.
    if (isFocused && this.#older.hidden && device === this.#device) {
      focusOn(this.#days.children[known] ?? this.#days.lastElementChild);
    }
  });
  /** The number of days that the person wants to see, and that of the last answer. */
  #count = daysOfPage;
  #readCount = daysOfPage;
  #device = "";
  #zone = "";
  /** The number of the last reading. An answer of an earlier one comes too late. */
  #reading = 0;
  /** The last day that the server has answered with: that of a position, or of a visit that a recording states. */
  #newest = "";
  /** Whether the last reading has failed. */
  hasFailed = false;
  /** The days that are shown, the newest first. */
  #shown = [];

  constructor() {
    this.#older.hidden = true;
    this.element.append(this.#notice, this.#days, this.#older);
  }

  /** Shows no days. */
  clear() {
    this.#reading += 1;
    this.#device = this.#newest = "";
    this.#shown = [];
    this.#count = this.#readCount = daysOfPage;
    fill(this.#days);
    setText(this.#notice, "");
    this.#older.hidden = true;
  }

  /** Reads the newest days again. The server divides them anew in each answer. */
  async show(device) {
    if (device !== this.#device || state.zoneOfDays !== this.#zone) this.clear();
    this.#device = device;
    this.#zone = state.zoneOfDays;
    // Other days may have begun since the last answer.
    await this.#load(daysBefore(format.dateText(new Date(Date.now() - clock.ahead)), -daysAhead));
  }

  /** Reads the days up to the newest one, which is not later than `last`. */
  async #load(last = this.#newest) {
    const reading = ++this.#reading, count = this.#count;
    try {
      if (!this.#days.hasChildNodes()) setText(this.#notice, t("days.loading"));
      const days = await this.#read(count, last);
      if (reading !== this.#reading) return;
      this.hasFailed = false;
      this.#readCount = count;
      this.#newest = days.at(-1)?.day ?? "";
      // Where no recording states a local time, the server answers in its own zone, and names it.
      const isUnstated = this.#zone === statedZone && days.some(({ zone }) => zone !== statedZone);
      setText(this.#notice, days.length === 0 ? t("record.noDays") : isUnstated ? t("zone.unstated", { zone: days[0].zone }) : "");
      this.#shown = days.reverse();
      fill(this.#days, this.#shown.map((day) => this.#day(day)));
      this.#older.hidden = days.length === 0 || count + daysOfPage > mostDays;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof OfflineError)) throw error;
      if (reading !== this.#reading) return;
      this.hasFailed = true;
      setText(this.#notice, t("app.failed", { reason: error.message || t("app.offlineReason") }));
    }
  }

  /** Returns the days, the earliest first. The server derives them in each request, so there is one where that can be. */
  async #read(count, last) {
    const device = this.#device, zone = this.#zone, from = this.#newest && daysBefore(this.#newest, count - 1);
    let days = [];
    if (count > daysOfPage && from && from <= last && daysBefore(last, mostDays - 1) <= from) {
      days = await api.days(device, zone, { from, to: last });
    }
    if (days.length === 0) {
      // Which day is the newest, the server knows: the last of those that it answers with by itself.
      days = await api.days(device, zone);
      const newest = days.at(-1)?.day;
      if (newest && count > daysOfPage) days = await api.days(device, zone, { from: daysBefore(newest, count - 1), to: newest });
    }
    const newest = days.at(-1)?.day;
    return days.filter(({ day }) => day >= daysBefore(newest, count - 1));
  }

  /** Whether no day is shown. */
  get isEmpty() { return this.#shown.length === 0; }

  /** Stores the days that are shown as a table, the earliest first. */
  export() {
    const rows = [...this.#shown].reverse().flatMap(({ day, segments }) => segments.map((segment) => [
      day, this.#zone, segment.type, segment.start, segment.end, segment.name,
      segment.type === "journey" ? knownModes(segment).join(" ") : null,
      segment.distance, segment.uncertainty, segment.lat, segment.lon,
      segment.stated ? "yes" : null, segment.proposedName,
    ]));
    downloadTable(`${this.#device} days`, [
      "day", "zone", "type", "start", "end", "name", "modes", "distance_m", "uncertainty_m", "lat", "lon", "stated",
      "proposed_name",
    ], rows);
  }

  #day(day) {
    const name = format.tripName(day.day), trip = state.trips.find((trip) => trip.trip === day.day), track = trip ?? trackOf(day);
    const offsets = offsetsOf(day);
    return h("section", { "aria-label": name },
      h("div", { class: "title-row" }, h("h3", {}, name),
        track && button(t("record.showDay"), () => showOnMap({ trip: track }), {
          class: "plain", "aria-label": t("record.showDayNamed", { day: name }),
        })),
      // Local times of several zones are distinguished.
      day.zone === statedZone && offsets.size === 1 && h("p", { class: "hint" }, t("zone.note", { zone: [...offsets].join() })),
      trip && h("p", { class: "hint" }, tripText(trip)),
      h("ol", { class: "list" }, day.segments.map((segment) => this.#item(segment, day, offsets.size > 1))));
  }

  #item(segment, day, hasOffsets) {
    const clock = (text) => (!isWithin(day, text) ? "…"
      : format.localMinute(text) + (hasOffsets ? ` ${offsetOf(text)}` : ""));
    const times = `${clock(segment.start)}–${clock(segment.end)}`;
    const naming = segment.name ? "days.rename" : "days.name";
    const data = { type: segment.type, mode: segment.type === "journey" ? longestMode(segment) : "" };
    return h("li", { data: segment.stated ? { ...data, stated: "" } : data },
      h("span", { class: "times" }, times),
      h("div", { class: "item-text" }, h("strong", { class: "name", dir: "auto" }, title(segment)),
        h("span", { class: "detail" }, details(segment).join(" · "))),
      segment.type === "visit" && h("div", { class: "item-actions" },
        button(t(naming), () => this.#name(segment), {
          class: "plain", "aria-label": t(`${naming}Named`, { place: title(segment), time: times }),
        }),
        button(t("fences.show"), () => showOnMap({ visit: segment }), {
          class: "plain", "aria-label": t("fences.showNamed", { name: title(segment) }),
        })),
      // A journey that goes on is no journey of the past yet.
      segment.type === "journey" && segment.end && h("div", { class: "item-actions" },
        button(t("days.link"), () => openLinks({ journey: segment, name: `${title(segment)}, ${times}` }), {
          class: "plain", "aria-label": t("days.linkNamed", { name: title(segment), time: times }),
        })));
  }

  #name(visit) {
    const name = h("input", { value: visit.name ?? visit.proposedName ?? "", maxlength: longestName, required: true, autocomplete: "off" });
    const notice = h("p", { class: "hint", role: "status" }), device = this.#device, abort = new AbortController();
    const submit = h("button", { type: "submit", class: "primary" }, t("app.save"));
    return openDialog(t("days.nameTitle"), (close) => h("form", {
      on: {
        submit: async (event) => {
          event.preventDefault();
          // Two names in one moment may come to the server in the other order.
          const enable = disable(submit);
          setText(notice, "");
          try {
            await api.namePlace(device, visit.id, name.value, abort.signal);
            close();
          } catch (error) {
            if (!abort.signal.aborted) {
              enable();
              return setText(notice, t("app.failed", { reason: error.message || t("app.offlineReason") }));
            }
            // The form was closed. The server may have taken the name before, so the days are read again.
          }
          // Meanwhile another device may have been chosen.
          if (device === this.#device) await this.#load();
        },
      },
    }, field(t("days.placeName"), name, t("days.placeHint")), notice,
      h("div", { class: "row" }, submit, button(t("app.cancel"), () => close())))).finally(() => abort.abort());
  }
}

/** The span of a day's positions in the form of a trip, which imported ones have not; nothing for a day without positions. */
function trackOf({ day, from, to, segments }) {
  if (!segments.some(({ type, stated }) => type === "journey" || type === "visit" && !stated)) return null;
  // The end of a day is that of no position.
  return { trip: day, began: from, ended: new Date(Date.parse(to) - 1).toISOString() };
}

function isWithin({ from, to }, text) { return text != null && new Date(text) >= new Date(from) && new Date(text) <= new Date(to); }

/** The offset of a local time from UTC, as in `UTC+09:00`. */
function offsetOf(text) { return `UTC${text.slice(-6).replace("-", "−")}`; }

/** The offsets of the times that are shown of a day: several around a change of the clocks, and of zones. */
function offsetsOf(day) {
  return new Set(day.segments.flatMap(({ start, end }) => [start, end]).filter((text) => isWithin(day, text)).map(offsetOf));
}

/** Whether what had no end at a time may go on. A device that has sent nothing for a day may be anywhere. */
function isRecent(text) { return state.now - Date.parse(text) < dayLength; }

/** The totals of a trip in words. */
export function tripText(trip) {
  return [
    format.lengthWithError(trip.distance, trip.uncertainty),
    t("record.moving", { duration: format.duration(trip.moving ?? 0) }),
    trip.fastest > 0.5 && t("record.fastest", { speed: format.speed(trip.fastest) }),
    trip.gaps > 0 && t("record.gaps", { count: trip.gaps }),
    trip.open && isRecent(trip.settledTo ?? trip.began) && t("record.open"),
  ].filter(Boolean).join(" · ");
}

/** The name of a segment. */
export function title(segment) {
  switch (segment.type) {
    case "visit": return visitName(segment);
    case "journey": return modes(segment) || t("days.journey");
    default: return t("days.gap");
  }
}

function knownModes({ legs }) {
  return [...new Set(legs.map(({ mode }) => mode))].filter((mode) => mode !== "unknown");
}

/** The modes of a journey. Where there are several, each has its length, and the legs of no known mode come last. */
function modes({ legs }) {
  const lengths = new Map();
  for (const { mode, distance } of legs) lengths.set(mode, (lengths.get(mode) ?? 0) + (distance ?? 0));
  if (lengths.size === 1) return lengths.has("unknown") ? "" : t(`mode.${legs[0].mode}`);
  return [...lengths].sort(([a], [b]) => (a === "unknown") - (b === "unknown"))
    .map(([mode, length]) => `${t(`mode.${mode}`)} ${format.length(length)}`).join(", ");
}

/** The mode with the longest leg, for the colour. */
function longestMode({ legs }) {
  const length = ({ start, end }) => Date.parse(end) - Date.parse(start);
  return legs.reduce((longest, leg) => (longest && length(longest) >= length(leg) ? longest : leg), null)?.mode ?? "unknown";
}

/** The duration of a segment, and what else is known of it. */
export function details(segment) {
  const seconds = ((segment.end ? Date.parse(segment.end) : Date.parse(segment.lastFix)) - Date.parse(segment.start)) / 1000;
  const duration = format.duration(Math.max(0, seconds));
  switch (segment.type) {
    case "visit": {
      const error = Math.max(segment.startUncertainty ?? 0, segment.endUncertainty ?? 0);
      return [
        error >= 60 ? `${duration} ± ${format.duration(error)}` : duration,
        !segment.name && format.place(segment.lat, segment.lon, Math.max(10, segment.hacc ?? 10)),
        !segment.end && isRecent(segment.lastFix) && t("record.open"),
        segment.stated && t("days.stated"),
      ].filter(Boolean);
    }
    case "journey": return [format.lengthWithError(segment.distance, segment.uncertainty), duration];
    default: return [duration, t("days.apart", { length: format.length(segment.distance) })];
  }
}

function daysBefore(date, count) {
  return new Date(Date.parse(`${date}T12:00Z`) - count * dayLength).toISOString().slice(0, 10);
}
