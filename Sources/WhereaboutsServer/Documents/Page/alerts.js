// The alerts, for administrators: what was delivered, and why somebody was notified or not.

import { api } from "./api.js";
import { button, fill, h, openDialog, setText } from "./dom.js";
import * as format from "./format.js";
import { t } from "./strings.js";
import { crossingText } from "./texts.js";

const shown = 30;

/** Opens the dialog of the alerts. */
export function openAlerts() {
  const notice = h("p", { class: "hint", role: "status" }), content = h("div");

  let reads = 0;

  async function update() {
    const number = reads += 1;
    try {
      const alerts = await api.alerts(shown);
      // An answer that was overtaken by a later one may be older.
      if (number !== reads) return;
      setText(notice, alerts.alerts.length === 0 ? t("alerts.none") : "");
      fill(content, alerts.alerts.length > 0 && sections(alerts));
    } catch (error) {
      if (number !== reads) return;
      setText(notice, t("app.failed", { reason: error.message || t("app.offlineReason") }));
    }
  }

  update();
  return openDialog(t("alerts.title"), (close) => [
    notice, content,
    h("div", { class: "row" },
      button(t("alerts.again"), update), button(t("app.close"), () => close(), { class: "last" })),
  ]);
}

function sections({ alerts, channels, notifications, decisions }) {
  const unknown = alerts.flatMap(({ name, unknownFences = [] }) => unknownFences.map((fence) => [name, fence]));
  return [
    unknown.map(([alert, fence]) => h("p", { class: "notice bad" }, t("alerts.unknownFence", { alert, fence }))),
    h("h3", {}, t("alerts.channels")),
    h("ul", { class: "list" }, channels.map(channel)),
    h("h3", {}, t("alerts.notifications")),
    notifications.length === 0 ? h("p", { class: "hint" }, t("alerts.noNotifications"))
      : h("ul", { class: "list" }, notifications.map(notification)),
    h("h3", {}, t("alerts.decisions")),
    decisions.length === 0 ? h("p", { class: "hint" }, t("alerts.noDecisions"))
      : h("ul", { class: "list" }, decisions.map(decision)),
  ];
}

function item(title, ...details) {
  return h("li", {}, h("div", { class: "item-text" },
    h("strong", { class: "name", dir: "auto" }, title),
    details.filter(Boolean).map((detail) => h("span", { class: "detail", dir: "auto" }, detail))));
}

function channel({ name, kind, host, program, waiting, delivered, refused, expired, failure, stopped }) {
  const counts = Object.entries({ waiting, delivered, refused, expired })
    .filter(([, count]) => count > 0).map(([status, count]) => `${t(`alerts.status.${status}`)}: ${format.count(count)}`);
  return item(name, `${t(`alerts.kind.${kind}`)} ${host ?? program}`, counts.join(" · "), english(stopped ?? failure));
}

function notification({ alert, channel: receiver, device, type, time, status, reason, attempts }) {
  const result = attempts > 1 ? `${t(`alerts.status.${status}`)} (${t("alerts.attempts", { count: attempts })})`
    : t(`alerts.status.${status}`);
  return item(
    `${alert}: ${device}`, `${format.moment(new Date(time))} · ${receiver} · ${result}`,
    type !== "crossing" && t(`alerts.type.${type}`), english(reason));
}

function decision({ alert, device, fence, event, time, notified, text }) {
  return item(
    `${alert}: ${device}`, `${format.moment(new Date(time))} · ${crossingText({ fence, event })}`,
    notified && !text ? t("alerts.notified") : english(text));
}

/** Returns an element with a reason of the server, which is in English. */
function english(text) { return text && h("span", { lang: "en" }, text); }
