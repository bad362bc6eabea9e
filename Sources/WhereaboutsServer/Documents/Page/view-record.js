// The record: crossings, new until the person has seen them and kept afterwards, and days.

import { openAlerts } from "./alerts.js";
import { button, fill, focusOn, h, setText } from "./dom.js";
import { downloadTable } from "./export.js";
import * as format from "./format.js";
import { session } from "./session.js";
import { state, statedZone } from "./state.js";
import { t } from "./strings.js";
import { crossingText, fenceName } from "./texts.js";
import { showOnMap } from "./view-map.js";
import { Timeline, tripText } from "./timeline.js";
import { openWhy, ownsDevice } from "./why.js";
import { zoneChoice } from "./zone.js";

const shownDays = 31;

/** The crossings, the newest first. */
export function sortedCrossings() {
  return [...state.crossings.values()].sort((a, b) => b.time - a.time || b.number - a.number);
}

export function recordView() {
  const seen = button(t("record.markSeen"), markSeen);
  const notice = h("p", { class: "notice", role: "status" });
  const crossings = h("div", { class: "days" });
  const empty = h("p", { class: "hint" });
  const older = button(t("record.older"), loadOlder);
  const days = h("ul", { class: "list" });
  const timeline = new Timeline();
  const zoneNote = h("p", { class: "hint", role: "status" });
  const exports = {
    crossings: button(t("record.export"), exportCrossings, { "aria-label": t("record.exportCrossings") }),
    days: button(t("record.export"), () => (ownsDevice() ? timeline.export() : exportTrips()), {
      "aria-label": t("record.exportDays"),
    }),
  };
  const noDays = h("p", { class: "hint" }, t("record.noDays"));
  const element = h("section", { id: "record", "aria-labelledby": "record-title" },
    h("h1", { id: "record-title", tabindex: -1 }, t("record.title")), zoneNote,
    h("div", { class: "title-row" }, h("h2", {}, t("record.crossings")), seen,
      session.mayAdministrate && !session.rights.device && button(t("alerts.title"), openAlerts),
      exports.crossings),
    notice, empty, crossings, older,
    h("div", { class: "title-row" }, h("h2", {}, t("record.days")), exports.days), noDays, days, timeline.element,
    h("div", { class: "files" }, zoneChoice()));

  let olderReads = 0, isVisible = false;

  async function loadOlder() {
    const number = olderReads += 1, { device } = state, entries = () => [...crossings.querySelectorAll("li")];
    const known = entries().length, isFocused = document.activeElement === older;
    setText(notice, "");
    try {
      await state.loadOlderCrossings();
      // With the last ones the button goes.
      if (isFocused && older.hidden && device === state.device) focusOn(entries()[known] ?? element.querySelector("h1"));
    } catch (error) {
      // Of another device, or of a press before, the person does not want to know it any more.
      if (number !== olderReads || device !== state.device) return;
      setText(notice, t("app.failed", { reason: error.message || t("app.offlineReason") }));
    }
  }

  function exportCrossings() {
    downloadTable(`${state.device} crossings`, [
      "time", "uncertainty_s", "event", "fence", "name", "confidence", "lat", "lon", "id", "state",
    ], sortedCrossings().reverse().map((crossing) => {
      const feature = state.fence(crossing.fence);
      return [
        crossing.time.toISOString(), crossing.uncertainty, crossing.event, crossing.fence, feature && fenceName(feature),
        crossing.confidence, crossing.lat, crossing.lon, crossing.id,
        crossing.revoked ? "withdrawn" : crossing.revised ? "corrected" : null,
      ];
    }));
  }

  function exportTrips() {
    downloadTable(`${state.device} days`, [
      "day", "distance_m", "uncertainty_m", "moving_s", "fastest_m_per_s", "gaps",
    ], state.trips.slice(0, shownDays).reverse().map(({ trip, distance, uncertainty, moving, fastest, gaps }) =>
      [trip, distance, uncertainty, moving, fastest, gaps]));
  }

  /** Reads the days while they are looked at: the server derives them from the positions each time. */
  async function showTimeline() {
    // Where the view has been opened, or left, this very moment, the trips are read again, or nobody looks.
    if (isVisible && element.clientHeight > 0 && state.exists(state.device)) await timeline.show(state.device);
    updateExport();
  }

  /** An imported past has days and no trips. */
  function updateExport() {
    exports.days.hidden = ownsDevice() ? timeline.element.hidden || timeline.isEmpty : state.trips.length === 0;
  }

  function markSeen() {
    state.markSeen();
    setText(notice, t("record.seen"));
    element.querySelector("h1").focus();
  }

  function updateCrossings() {
    const all = sortedCrossings();
    seen.hidden = state.newCount === 0;
    if (state.newCount > 0) setText(notice, "");
    older.hidden = !state.hasOlderCrossings;
    // Unread crossings are not reported as absent.
    empty.hidden = all.length > 0
      || session.mayRead && Boolean(state.device) && !state.hasCrossings && !state.isUnstarted;
    exports.crossings.hidden = all.length === 0;
    setText(zoneNote, state.zone
      ? t(state.zone === statedZone ? "zone.noteStated" : "zone.note", { zone: format.timeZone() }) : "");
    setText(empty, t(!session.mayRead ? "app.mayNotRead" : state.device ? "record.none" : "record.noDevice"));
    const groups = Map.groupBy ? Map.groupBy(all, dayOf) : grouped(all);
    fill(crossings, [...groups].map(([day, entries]) =>
      h("section", {}, h("h3", {}, day), h("ul", { class: "list" }, entries.map(item)))));
  }

  function item(crossing) {
    const isNew = state.isNew(crossing), text = crossingText(crossing);
    return h("li", { class: isNew ? "new" : "", data: { event: crossing.event, id: crossing.id } },
      h("div", { class: "item-text" },
        h("strong", { class: crossing.revoked ? "name withdrawn" : "name", dir: "auto" }, text),
        isNew && h("span", { class: "badge" }, t("record.new")),
        h("span", { class: "detail" },
          h("time", { datetime: crossing.time.toISOString() },
            format.clock(crossing.time, crossing.uncertainty)),
          crossing.revoked ? ` · ${t("record.withdrawn")}`
            : ` · ${t("record.confidence", { percent: format.percent(crossing.confidence) })}`,
          crossing.revised && !crossing.revoked && ` · ${t("record.revised")}`),
        crossing.lat != null && h("span", { class: "detail" }, format.place(crossing.lat, crossing.lon, session.rights?.accuracyCap))),
      h("div", { class: "item-actions" },
        ownsDevice() && button(t("why.ask"), () => openWhy(crossing.fence, text, crossing.time), {
          class: "plain", "aria-label": t("why.title", { name: text }),
        }),
        crossing.lat != null && button(t("fences.show"), () => showOnMap({ crossing }), {
          class: "plain", "aria-label": t("fences.showNamed", { name: text }),
        })));
  }

  /** Shows the parts that the rights and the device allow. */
  function updateParts() {
    const isOwner = ownsDevice();
    // Of a device that has not begun, the timeline would be that of the device before.
    timeline.element.hidden = !isOwner || !session.mayRead || state.isUnstarted;
    days.hidden = isOwner;
    updateExport();
    noDays.hidden = !state.isUnstarted && (ownsDevice() || !state.hasTrips || state.trips.length > 0);
  }

  function updateDays() {
    updateParts();
    if (ownsDevice()) return state.hasTrips ? showTimeline() : timeline.clear();
    fill(days, state.trips.slice(0, shownDays).map((trip) => {
      const name = format.tripName(trip.trip);
      return h("li", {},
        h("div", { class: "item-text" },
          h("strong", { class: "name" }, name), h("span", { class: "detail" }, tripText(trip))),
        h("div", { class: "item-actions" },
          button(t("record.showDay"), () => showOnMap({ trip }), {
            class: "plain", "aria-label": t("record.showDayNamed", { day: name }),
          })));
    }));
  }

  for (const part of ["crossings", "devices", "fences", "source"]) state.addEventListener(part, updateCrossings);
  for (const part of ["devices", "source"]) state.addEventListener(part, updateParts);
  // The notice is of the device before.
  state.addEventListener("source", () => setText(notice, ""));
  state.addEventListener("trips", updateDays);
  // The days may be there without the trips. Without a connection, the timeline says so.
  state.addEventListener("unreadTrips", () => { if (ownsDevice()) showTimeline(); });
  // The stream may have survived what the days have not.
  addEventListener("online", () => { if (timeline.hasFailed) state.refresh(); });
  new ResizeObserver(() => {
    const wasVisible = isVisible;
    isVisible = element.clientHeight > 0;
    // The days are shown with the trips that are read.
    if (isVisible && !wasVisible) state.refresh();
  }).observe(element);
  updateCrossings();
  updateDays();
  return { element };
}

function dayOf(crossing) { return format.day(crossing.time); }

function grouped(entries) {
  const groups = new Map();
  for (const entry of entries) groups.set(dayOf(entry), [...(groups.get(dayOf(entry)) ?? []), entry]);
  return groups;
}
