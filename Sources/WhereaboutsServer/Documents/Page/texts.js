// Fences and crossings in words.

import * as format from "./format.js";
import { area, lineLength, places } from "./geo.js";
import { state } from "./state.js";
import { t } from "./strings.js";

/** The name of a fence for people. */
export function fenceName(feature) { return String(feature.properties?.name ?? feature.id ?? ""); }

/** The name of a visit's place. A question mark is at one that a recording states and nobody has confirmed. */
export function visitName({ name, proposedName }) {
  return name ?? (proposedName ? `${proposedName}?` : t("days.unnamed"));
}

/** A name within a text of the page. A name that is written from the right would turn the numbers after it around. */
export function isolated(name) {
  return /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Bidi_Control}]/u.test(name)
    ? `\u2068${name}\u2069` : name;
}

/** The shape of a fence in words. */
export function shape({ geometry, properties = {} }) {
  switch (geometry?.type) {
    case "Point": return t("fences.shape.circle", { radius: format.length(properties.radius) });
    case "LineString":
      return t("fences.shape.corridor", {
        length: format.length(lineLength(places(geometry))), width: format.length(properties.width),
      });
    case "Polygon":
      return t("fences.shape.area", {
        area: format.area(geometry.coordinates
          .map((ring) => area(ring.slice(1).map(([lon, lat]) => ({ lat, lon }))))
          .reduce((outer, hole) => outer - hole)),
      });
    default: return t("fences.shape.other");
  }
}

/** A crossing in words for somebody who may know it already: with its correction. */
export function newsText(crossing) {
  const text = crossingText(crossing);
  if (crossing.revoked) return t("record.newsWithdrawn", { text });
  return crossing.revised ? t("record.newsRevised", { text }) : text;
}

/** A crossing in words, as "Left: Home". */
export function crossingText(crossing) {
  const feature = state.fence(crossing.fence);
  return t(`record.${crossing.event}`, { fence: isolated(feature ? fenceName(feature) : crossing.fence) });
}
