// The server's explanation of a fence at a moment: why there was a crossing, or why there was none.

import { api, ApiError } from "./api.js";
import { button, field, fill, h, openDialog, setText } from "./dom.js";
import * as format from "./format.js";
import { session } from "./session.js";
import { state } from "./state.js";
import { t } from "./strings.js";

/** The width of the column of names in the server's lines. */
const column = 12;

/** Whether the person owns the device, and may see why and where it was. The server checks each request. */
export function ownsDevice() {
  const isOwn = session.mayWrite && session.rights?.device === state.device;
  return Boolean(state.device) && (session.mayAdministrate || isOwn);
}

/** Opens a dialog with the explanation of a fence at a moment, which the person may change. */
export function openWhy(fence, name, at = new Date(state.now)) {
  const answer = h("dl", { class: "why", lang: "en", "aria-live": "polite" }), notice = h("p", { class: "hint", role: "status" });
  const shown = format.localText(at);
  const moment = h("input", { type: "datetime-local", step: 1, value: shown, on: { change: ask } });

  let count = 0;

  async function ask() {
    if (!moment.value) return;
    // An answer of an earlier question comes too late.
    const number = count += 1;
    setText(notice, t("why.asking"));
    // The text has no fraction of a second, and names two moments of an hour that comes twice.
    const wanted = moment.value === shown ? at : format.fromLocalText(moment.value);
    try {
      const { lines } = await api.why(state.device, fence, wanted.toISOString());
      if (number !== count) return;
      setText(notice, "");
      fill(answer, lines.slice(1).flatMap((line) => [
        h("dt", {}, line.slice(0, column).trim()), h("dd", {}, withZone(line.slice(column).trim())),
      ]));
    } catch (error) {
      if (number !== count) return;
      fill(answer);
      const isUnknown = error instanceof ApiError && error.status === 404;
      setText(notice, isUnknown ? t("why.unknown") : t("app.failed", { reason: error.message || t("app.offlineReason") }));
    }
  }

  ask();
  return openDialog(t("why.title", { name }), (close) => [
    field(`${t("why.when")} (${format.timeZone()})`, moment, t("why.hint")), notice, answer,
    h("div", { class: "row" }, button(t("app.close"), () => close())),
  ]);
}

/** The server's text with the zone at each time. */
function withZone(text) { return text.replace(/\b\d{2}:\d{2}:\d{2}(\.\d+)?\b(?! UTC)/g, "$& UTC"); }
