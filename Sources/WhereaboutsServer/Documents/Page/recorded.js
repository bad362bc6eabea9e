// The crossings that a fence records: the choices of its form, and their text.

import { t } from "./strings.js";

/** The choices, as properties. Undefined members are removed. */
export const choices = {
  onceExit: { notify: ["exit"], once: true },
  exit: { notify: ["exit"], once: undefined },
  enter: { notify: ["enter"], once: undefined },
  both: { notify: ["enter", "exit"], once: undefined },
};

/** The kinds of events that are recorded, in order. */
function kindsOf({ notify = "any" }) {
  const kinds = [notify].flat().flatMap((text) => text.split(",")).map((kind) => kind.trim());
  return ["enter", "exit", "dwell"].filter((kind) => kinds.includes("any") || kinds.includes(kind));
}

/** The name of the choice that some properties are, or "other". */
export function choice(properties = {}) {
  // A stay has a field of its own.
  const kinds = kindsOf(properties).filter((kind) => kind !== "dwell").join();
  if (properties.once === true) return kinds === "exit" ? "onceExit" : "other";
  return { exit: "exit", enter: "enter", "enter,exit": "both" }[kinds] ?? "other";
}

/** Returns the text of the recorded events. */
export function recorded(properties) {
  const name = choice(properties);
  if (name !== "other") return t(`fences.recorded.${name}`);
  // Of a stay without a duration there is no event.
  const kinds = kindsOf(properties).filter((kind) => kind !== "dwell" || properties.dwell != null);
  if (kinds.length === 0) return t("fences.recorded.nothing");
  return t(properties.once === true ? "fences.once" : "fences.each", {
    events: kinds.map((kind) => t(`fences.event.${kind}`)).join(", "),
  });
}
