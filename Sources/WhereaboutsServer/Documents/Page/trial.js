// A fence tried on the stored positions: the crossings that it would have had in the last week.

import { api } from "./api.js";
import { button, fill, h, setText } from "./dom.js";
import * as format from "./format.js";
import { state } from "./state.js";
import { t } from "./strings.js";

const shownEvents = 8;

/** Returns a button that tries a fence, with the room for its result.
 *
 * @param feature returns the fence as it is in the form. */
export function trialOf(feature) {
  const notice = h("p", { class: "hint", role: "status" }), events = h("ul");
  let count = 0;

  async function run() {
    const number = count += 1;
    fill(events);
    setText(notice, t("trial.running"));
    try {
      const result = await api.trial(state.device, [feature()]);
      if (number === count) show(result);
    } catch (error) {
      if (number === count) setText(notice, t("app.failed", { reason: error.message || t("app.offlineReason") }));
    }
  }

  function show({ fixes, fences: [{ enters, exits }], events: all }) {
    if (fixes === 0) return setText(notice, t("trial.noFixes"));
    setText(notice, t("trial.result", { enters: format.count(enters), exits: format.count(exits) }));
    const crossings = all.filter(({ manner, event }) => manner !== "initial" && event !== "dwell").reverse();
    fill(events, crossings.slice(0, shownEvents).map(({ event, time, uncertainty }) => h("li", {},
      t(`trial.${event}`, { time: `${format.day(new Date(time))}, ${format.clock(new Date(time), uncertainty)}` }))));
    const hidden = crossings.length - shownEvents;
    if (hidden > 0) events.append(h("li", {}, t("trial.more", { count: hidden })));
  }

  return h("div", { class: "trial" }, button(t("trial.run"), run), notice, events);
}
