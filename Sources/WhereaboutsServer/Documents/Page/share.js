// Links that show a device, or one of its journeys, to others for a while: made, listed and ended by the device's owner.

import { api } from "./api.js";
import { button, field, fill, h, openDialog, setText } from "./dom.js";
import * as format from "./format.js";
import { session } from "./session.js";
import { state } from "./state.js";
import { t } from "./strings.js";

const hour = 3600;
const durations = [hour, 8 * hour, 24 * hour, 7 * 24 * hour];
/** Accuracy caps in metres; 0 for none. */
const caps = [0, 500, 5000];
/** Numbers of looks; 0 for any. */
const looks = [0, 1, 3, 10];
/** The distance from the destination within which a place under a cap is exact, in metres. */
const near = 1000;

/** The number of presses of the buttons of links. */
let presses = 0;

/** Opens the dialog of a device's links. A link that is made shows the device, or a `journey` with its name alone. */
export async function openLinks({ journey, name } = {}) {
  const device = state.device, view = location.hash, press = presses += 1;
  // The destinations to choose from.
  if (!state.hasFences) await state.loadFences();
  // Meanwhile the person may have pressed again, opened something else, or been signed out.
  if (press !== presses || view !== location.hash || device !== state.device) return;
  if (document.querySelector("dialog[open]") || !session.token) return;
  const duration = choice(durations, (seconds) => format.duration(seconds));
  const cap = choice(caps, (metres) => (metres === 0 ? t("share.exact") : t("share.coarse", { length: format.length(metres) })));
  const count = choice(looks, (number) => (number === 0 ? t("share.anyLooks") : lookText(number)));
  const fences = state.fences.features.map((fence) => [String(fence.id), fence.properties?.name || String(fence.id), fence]);
  // Others end no link: they report no arrival.
  const ending = fences.filter(([, , fence]) => fence.properties?.notify?.includes("enter") ?? true);
  const arrival = h("select", {}, h("option", { value: "" }, t("share.noArrival")),
    ending.map(([id, name]) => h("option", { value: id, dir: "auto" }, name)));
  const label = h("input", { maxlength: 50, autocomplete: "off" });
  const notice = h("p", { class: "hint", role: "status" }), made = h("div", { class: "made" }), list = h("ul", { class: "list links" });
  const seen = h("ul", { class: "list looks" }), seenTitle = h("h3", {}, t("share.looks"));

  /** The names of the actions that go on. */
  const busy = new Set();
  let updates = 0, madeID = null;

  /** Performs an action once at a time: a second press makes no second link. */
  async function perform(name, action) {
    if (busy.has(name)) return;
    busy.add(name);
    try {
      await action();
    } catch (error) {
      setText(notice, t("app.failed", { reason: error.message || t("app.offlineReason") }));
    } finally {
      busy.delete(name);
    }
  }

  async function update() {
    const number = updates += 1;
    // An answer that was overtaken by a later one may be older, and its failure says nothing any more.
    const isOvertaken = () => number !== updates;
    const answers = await Promise.all([api.links(device), api.looks(device)]).catch((error) => {
      if (!isOvertaken()) throw error;
    });
    if (isOvertaken()) return;
    const [links, seenBy] = answers;
    seenTitle.hidden = seenBy.length === 0;
    fill(seen, seenBy.map((look) => h("li", {}, h("div", { class: "item-text" },
      h("span", { class: "name", dir: "auto" }, look.label),
      h("span", { class: "detail" }, `${format.moment(new Date(look.time))} · ${look.reader}`)))));
    fill(list, links.map((link) => h("li", {},
      h("div", { class: "item-text" },
        h("strong", { class: "name", dir: "auto" }, link.label),
        h("span", { class: "detail", dir: "auto" }, terms(link).join(" · "))),
      h("div", { class: "item-actions" }, button(t("share.end"), () => perform(`end ${link.id}`, async () => {
        await api.endLink(device, link.id);
        // The address of another link is shown nowhere else.
        if (link.id === madeID) fill(made);
        setText(notice, t("share.ended"));
        await refresh();
      }), { class: "plain", "aria-label": t("share.endNamed", { name: link.label }) })))));
  }

  /** Reads the list after an action, which stays done where that fails. */
  async function refresh() {
    try {
      await update();
    } catch (error) {
      setText(notice, t("share.unread", { reason: error.message || t("app.offlineReason") }));
    }
  }

  function terms(link) {
    const fence = fences.find(([id]) => id === link.arrival);
    return [
      t("share.until", { time: format.moment(new Date(link.expires)) }),
      link.until && t("share.journey", { time: format.moment(new Date(link.since)) }),
      link.arrival && t("share.untilArrival", { fence: fence?.[1] ?? link.arrival }),
      link.accuracyCap && t("share.coarse", { length: format.length(link.accuracyCap) }),
      link.near && t("share.near", { length: format.length(link.near) }),
      link.looks ? t("share.lookedOf", { count: format.count(link.looked), all: format.count(link.looks) }) : lookText(link.looked),
    ].filter(Boolean);
  }

  function create(event) {
    event.preventDefault();
    perform("create", async () => {
      const { id, path } = await api.createLink(device, {
        seconds: Number(duration.value), accuracyCap: Number(cap.value) || undefined,
        label: label.value.trim() || undefined, looks: Number(count.value) || undefined,
        arrival: arrival.value || undefined, journey: journey?.id,
        near: arrival.value && Number(cap.value) > 0 ? near : undefined,
      });
      // The dialog was closed meanwhile, and nobody would ever see the address.
      if (!made.closest("dialog").open) return void await api.endLink(device, id);
      madeID = id;
      const address = h("input", { readonly: true, value: location.origin + path });
      fill(made, field(t("share.address"), address, t(journey ? "share.journeyHint" : "share.addressHint")),
        // Pages without TLS on another host have no clipboard.
        navigator.clipboard && button(t("share.copy"), () => perform("copy", async () => {
          address.select();
          await navigator.clipboard.writeText(address.value);
          setText(notice, t("share.copied"));
        })));
      setText(notice, "");
      address.select();
      address.scrollIntoView({ block: "center" });
      // Another link may be made meanwhile.
      refresh();
    });
  }

  perform("update", update);
  return openDialog(journey ? t("share.journeyTitle", { name }) : t("share.title", { device }), (close) => [
    h("form", { on: { submit: create } },
      field(t("share.duration"), duration), !journey && fences.length > 0 && field(t("share.arrival"), arrival),
      field(t("share.accuracy"), cap, !journey && t("share.accuracyHint", { length: format.length(near) })),
      field(t("share.count"), count, t("share.countHint")), field(t("share.label"), label),
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, t("share.create")))),
    notice, made, list, seenTitle, seen, h("div", { class: "row" }, button(t("app.close"), () => close())),
  ]);
}

function lookText(number) {
  if (number === 0) return t("share.noLooks");
  return number === 1 ? t("share.oneLook") : t("share.manyLooks", { count: format.count(number) });
}

function choice(values, text) {
  return h("select", {}, values.map((value) => h("option", { value }, text(value))));
}
