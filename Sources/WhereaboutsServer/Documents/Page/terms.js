// The terms of a fence: in words, and as fields of its form. docs/fences-geojson.md lists them.

import { field, h } from "./dom.js";
import * as format from "./format.js";
import { t } from "./strings.js";

const usualConfidence = 0.95;
const confidences = [0.8, usualConfidence, 0.99, 0.999];

/** Returns the terms that are not the usual ones, in words. */
export function termsInWords(properties) {
  const { enterConfidence: enter, exitConfidence: exit, dwell, hysteresisMargin, enterDwell, exitDwell, expiry } = properties;
  return [
    dwell != null && t("terms.stayText", { duration: durationText(dwell) }),
    isNeverActive(properties) ? t("terms.neverText")
      : hours(properties) && t("terms.hoursText", { hours: hours(properties), zone: zoneOf(properties) }),
    (enter ?? exit) != null && t("terms.confidenceText", { percent: confidenceText(enter, exit) }),
    hysteresisMargin > 0 && t("terms.marginText", { length: format.length(hysteresisMargin) }),
    enterDwell > 0 && t("terms.enterAfter", { duration: durationText(enterDwell) }),
    exitDwell > 0 && t("terms.exitAfter", { duration: durationText(exitDwell) }),
    expiry && t("terms.expiryText", { time: format.moment(new Date(expiry)) }),
  ].filter(Boolean);
}

function durationText(seconds) { return typeof seconds === "number" ? format.exactDuration(seconds) : String(seconds); }

/** Whether a fence has hours, but none in which it is active. */
function isNeverActive({ activeHours }) { return activeHours?.length === 0; }

/** The hours as the form has them; empty for always. */
function hours(properties) {
  return isNeverActive(properties) ? t("terms.never") : [properties.activeHours ?? []].flat().join("; ");
}

function zoneOf({ timeZone, utcOffset }) { return timeZone ?? (utcOffset == null ? "UTC" : `UTC${utcOffset}`); }

function confidenceText(enter = usualConfidence, exit = usualConfidence) {
  return [...new Set([enter, exit])].map((value) => format.percent(value)).join(" / ");
}

/** Returns the fields of the terms, and a function that writes them into properties. What nobody changed stays as it is. */
export function termFields(properties) {
  const enter = properties.enterConfidence ?? usualConfidence, exit = properties.exitConfidence ?? usualConfidence;
  const present = enter === exit && confidences.includes(enter) ? String(enter) : "";
  const confidence = h("select", {},
    !present && h("option", { value: "" }, confidenceText(enter, exit)),
    confidences.map((value) => h("option", { value }, format.percent(value))));
  confidence.value = present;
  const margin = h("input", { type: "number", min: 0, max: 1_000_000, step: "any", inputmode: "decimal", value: properties.hysteresisMargin ?? 0 });
  const minutes = typeof properties.dwell === "number" ? Math.round(properties.dwell / 60 * 1e6) / 1e6 : "";
  // A file or another program may have chosen a stay beyond the usual ones.
  const stay = h("input", {
    type: "number", min: minutes === "" ? 1 : Math.min(1, minutes), max: Math.max(100_000, minutes), step: "any", inputmode: "decimal",
    value: minutes,
  });
  const times = h("input", { value: hours(properties), maxlength: 500, autocomplete: "off", placeholder: "Mo-Fr 07:00-18:00", dir: "ltr" });
  const zone = properties.activeHours ? zoneOf(properties) : format.timeZone();

  function write(changed) {
    if (confidence.value !== present) {
      // Undefined members are removed, so the usual values stay the usual ones.
      const value = Number(confidence.value) === usualConfidence ? undefined : Number(confidence.value);
      Object.assign(changed, { enterConfidence: value, exitConfidence: value });
    }
    if (margin.validity.valid) changed.hysteresisMargin = margin.valueAsNumber || undefined;
    if (stay.value !== String(minutes)) changed.dwell = stay.valueAsNumber > 0 ? stay.valueAsNumber * 60 : undefined;
    const text = times.value.trim();
    if (text !== hours(properties)) {
      const isNever = text.toLowerCase() === t("terms.never");
      const rules = isNever ? [] : text.split(";").map((rule) => rule.trim()).filter(Boolean);
      Object.assign(changed, isNever || rules.length > 0
        ? { activeHours: rules, ...(properties.activeHours ? {} : { timeZone: zone }) }
        : { activeHours: undefined, timeZone: undefined, utcOffset: undefined });
    }
    // A stay is reported in addition to the choice above.
    if (Array.isArray(changed.notify)) {
      changed.notify = changed.notify.filter((kind) => kind !== "dwell").concat(changed.dwell == null ? [] : ["dwell"]);
    }
    return changed;
  }

  const isOpen = termsInWords(properties).length > 0;
  const element = h("details", { class: "terms", open: isOpen }, h("summary", {}, t("terms.title")),
    field(t("terms.stay"), stay, t("terms.stayHint")), field(t("terms.hours"), times, t("terms.hoursHint", { zone })),
    field(t("terms.confidence"), confidence, t("terms.confidenceHint")), field(t("terms.margin"), margin, t("terms.marginHint")));
  // Of a value that is refused in a part that is closed, a browser shows nothing.
  element.addEventListener("invalid", () => { element.open = true; }, { capture: true });
  return { element, write };
}
