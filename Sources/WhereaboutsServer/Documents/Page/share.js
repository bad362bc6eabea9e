// Links that show a device to others for a while: made, listed and ended by the device's owner.

import { api } from "./api.js";
import { button, field, fill, h, openDialog, setText } from "./dom.js";
import * as format from "./format.js";
import { state } from "./state.js";
import { t } from "./strings.js";

const hour = 3600;
const durations = [hour, 8 * hour, 24 * hour, 7 * 24 * hour];
/** Accuracy caps in metres; 0 for none. */
const caps = [0, 500, 5000];

/** Opens the dialog of a device's links. */
export function openLinks() {
  const device = state.device;
  const duration = choice(durations, (seconds) => format.duration(seconds));
  const cap = choice(caps, (metres) => (metres === 0 ? t("share.exact") : t("share.coarse", { length: format.length(metres) })));
  const label = h("input", { maxlength: 50, autocomplete: "off" });
  const told = h("p", { class: "hint", role: "status" }), made = h("div"), list = h("ul", { class: "list" });

  async function perform(action) {
    try {
      await action();
    } catch (error) {
      setText(told, t("app.failed", { reason: error.message || t("app.offlineReason") }));
    }
  }

  async function update() {
    const links = await api.links(device);
    fill(list, links.map((link) => h("li", {},
      h("div", { class: "item-text" },
        h("strong", { class: "name", dir: "auto" }, link.label),
        h("span", { class: "detail" }, t("share.until", { time: format.moment(new Date(link.expires)) }),
          link.accuracyCap ? ` · ${t("share.coarse", { length: format.length(link.accuracyCap) })}` : "")),
      h("div", { class: "item-actions" }, button(t("share.end"), () => perform(async () => {
        await api.endLink(device, link.id);
        fill(made);
        setText(told, t("share.ended"));
        await update();
      }), { class: "plain", "aria-label": t("share.endNamed", { name: link.label }) })))));
  }

  function create(event) {
    event.preventDefault();
    perform(async () => {
      const { path } = await api.createLink(device, {
        seconds: Number(duration.value), accuracyCap: Number(cap.value) || undefined,
        label: label.value.trim() || undefined,
      });
      const address = h("input", { readonly: true, value: location.origin + path });
      fill(made, field(t("share.address"), address, t("share.addressHint")),
        // Pages without TLS on another host have no clipboard.
        navigator.clipboard && button(t("share.copy"), () => perform(async () => {
          address.select();
          await navigator.clipboard.writeText(address.value);
          setText(told, t("share.copied"));
        })));
      setText(told, "");
      await update();
      address.select();
    });
  }

  perform(update);
  return openDialog(t("share.title", { device }), (close) => [
    h("form", { on: { submit: create } },
      field(t("share.duration"), duration), field(t("share.accuracy"), cap), field(t("share.label"), label),
      h("div", { class: "row" }, h("button", { type: "submit", class: "primary" }, t("share.create")))),
    told, made, list, h("div", { class: "row" }, button(t("app.close"), () => close())),
  ]);
}

function choice(values, text) {
  return h("select", {}, values.map((value) => h("option", { value }, text(value))));
}
