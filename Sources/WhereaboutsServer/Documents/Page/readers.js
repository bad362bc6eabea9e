// The choice of whose eyes the track of a day is shown with: the owner's, or those of a token or link that may read it.

import { api } from "./api.js";
import { field, fillOptions, h } from "./dom.js";
import * as format from "./format.js";
import { state } from "./state.js";
import { t } from "./strings.js";
import { ownsDevice } from "./why.js";

/** Returns the field of the choice, and the reader that is chosen; `null` for the owner.
 *
 * @param onChange gets `isAsked`: whether the person has changed it. */
export function readerChoice(onChange) {
  const select = h("select", { on: { change: () => onChange({ isAsked: true }) } });
  const element = field(t("map.reader"), select);
  let readers = [], device = null, reads = 0;

  function show() {
    const chosen = select.value;
    fillOptions(select, h("option", { value: "" }, t("map.owner")), readers.map((reader) =>
      h("option", { value: reader.id, dir: "auto" }, [reader.label || t("map.unnamedReader"),
        reader.accuracyCap && t("share.coarse", { length: format.length(reader.accuracyCap) }),
        reader.until && t("share.journey", { time: format.moment(new Date(reader.since)) }),
        reader.expires && t("share.until", { time: format.moment(new Date(reader.expires)) }),
        isNamedAlike(reader) && t("map.readerNumber", { number: reader.id })].filter(Boolean).join(", "))));
    select.value = readers.some(({ id }) => String(id) === chosen) ? chosen : "";
    element.hidden = readers.length === 0;
    // The track is that of the chosen one, who may have ended.
    if (select.value !== chosen) onChange({ isAsked: false });
  }

  function isNamedAlike({ label, expires }) {
    const end = expires && format.moment(new Date(expires));
    return readers.filter((other) => other.label === label
      && (other.expires && format.moment(new Date(other.expires))) === end).length > 1;
  }

  /** Reads the readers of the device anew. */
  async function update() {
    const name = state.device, number = reads += 1;
    const isReadable = Boolean(name) && ownsDevice() && state.exists(name);
    // The tokens of an erased device are erased, too.
    if (device !== name || !isReadable) readers = [];
    device = name;
    show();
    if (!isReadable) return;
    try {
      const all = await api.readers(name);
      // Another device may have been chosen, or a later answer have come.
      if (number !== reads) return;
      readers = all.filter(({ owner }) => !owner);
      show();
    } catch {
      // The choice comes with the next look at the map.
    }
  }

  return { element, update, chooseOwner() { select.value = ""; }, get chosen() { return readers.find(({ id }) => String(id) === select.value) ?? null; } };
}
