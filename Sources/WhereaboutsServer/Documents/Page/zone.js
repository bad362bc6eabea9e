// The time zone in which the days and times of a device are shown: the browser's, or the one that the person chooses. The
// local times that recordings state are known of days alone.

import { field, h } from "./dom.js";
import * as format from "./format.js";
import { state, statedZone } from "./state.js";
import { t } from "./strings.js";

/** Returns the field of the choice. */
export function zoneChoice() {
  const select = h("select", { on: { change: () => state.setZone(select.value) } },
    h("option", { value: "" }, t("zone.browser", { zone: format.browserZone })),
    h("option", { value: statedZone }, t("zone.stated")),
    h("optgroup", { label: t("zone.offsets") }, offsets().map(([value, text]) => h("option", { value }, text))),
    h("optgroup", { label: t("zone.places") },
      (Intl.supportedValuesOf?.("timeZone") ?? []).map((name) => h("option", { value: name }, name.replaceAll("_", " ")))));
  const element = field(t("zone.title"), select, t("zone.hint"));
  const update = () => { select.value = state.zone; };
  for (const part of ["source", "zone"]) state.addEventListener(part, update);
  update();
  return element;
}

/** Whole hours. The sign in the names of these zones is that of the way to UTC, not from it. */
function offsets() {
  return Array.from({ length: 27 }, (_, index) => index - 12).map((hours) => [
    hours === 0 ? "Etc/UTC" : `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`,
    `UTC${hours < 0 ? "−" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`,
  ]);
}
