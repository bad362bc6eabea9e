// The view "Here and now": one control that starts, shows the search, and stops.

import { clock } from "./api.js";
import { button, field, fill, h, setText } from "./dom.js";
import * as format from "./format.js";
import { session } from "./session.js";
import { openLinks } from "./share.js";
import { phone, state } from "./state.js";
import { t } from "./strings.js";
import { editFenceHere } from "./view-fences.js";
import { ownsDevice } from "./why.js";

const followKey = "whereabouts.follow";
/** The error of this phone's clock in milliseconds from which positions may be refused. */
const greatestClockError = 10_000;

export function nowView() {
  const control = button("", toggle, { class: "dial" });
  const status = h("p", { class: "status", role: "status" });
  const help = h("p", { class: "help" });
  const reading = h("p", { class: "reading" });
  const place = h("p", { class: "place" });
  const follow = h("input", {
    type: "checkbox", id: "follow", checked: localStorage.getItem(followKey) === "yes",
    "aria-describedby": "follow-hint",
    on: { change: () => localStorage.setItem(followKey, follow.checked ? "yes" : "no") },
  });
  const followHint = h("p", { class: "hint", id: "follow-hint" });
  const name = h("input", {
    value: session.phoneName, maxlength: 100, autocomplete: "off",
    on: { change: () => state.rename(name.value.trim()) },
  });
  const nameField = field(t("now.name"), name, t("now.nameHint"));
  const queue = h("p", { class: "queue" });
  const here = button(t("fences.here"), () => editFenceHere(), { class: "wide" });
  const share = button(t("share.open"), () => openLinks(), { class: "wide" });
  const element = h("section", { id: "now", "aria-labelledby": "now-title" },
    h("h1", { id: "now-title", tabindex: -1 }, t("now.title")),
    h("div", { class: "dial-box" }, control),
    h("div", { class: "found" }, status, help, reading, place),
    nameField,
    h("div", { class: "field check" }, follow, h("label", { for: "follow" }, t("now.follow")), followHint),
    queue, here, share);

  function toggle() {
    if (state.finder.isRunning) state.stop();
    else state.start(follow.checked);
  }

  function update() {
    const { finder } = state, isPhone = state.source === phone;
    setText(control, t(finder.isRunning ? "now.stop" : "now.start"));
    control.dataset.phase = finder.phase === "found" && finder.isWeak ? "weak" : finder.phase;
    control.disabled = isPhone ? !session.mayWrite && !session.mayRead : !session.mayRead;
    setText(status, headline(finder));
    status.classList.toggle("bad", finder.phase === "failed");
    setText(help, finder.phase === "failed" ? t(helpKey(finder, isPhone)) : "");
    nameField.hidden = !isPhone || !session.mayWrite || session.rights?.device != null;
    setText(followHint, t(isPhone ? "now.followPhoneHint" : "now.followDeviceHint"));
    here.hidden = !session.mayAdministrate;
    share.hidden = !ownsDevice() || !state.exists(state.device);
    updateReading();
  }

  /** Shows the location with its accuracy and its age, which grows. */
  function updateReading() {
    const { finder, location: fix } = state;
    if (!fix) {
      // A location that was not read is not reported as absent.
      const isKnown = !state.device || !session.mayRead || state.isUnstarted || state.hasLastFix;
      setText(reading, finder.phase === "idle" && isKnown ? t("now.noPlace") : "");
      setText(place, "");
      return;
    }
    const age = fix.time ? format.age(Math.max(0, (state.now - fix.time) / 1000)) : null;
    const parts = [
      fix === finder.best ? null : t("now.lastKnown"), format.accuracy(fix.hacc), age,
      fix.speed > 0.5 ? format.speed(fix.speed) : null,
    ];
    setText(reading, parts.filter(Boolean).join(" · "));
    setText(place, format.place(fix.lat, fix.lon, fix.hacc));
  }

  function updateQueue() {
    const { outbox } = state;
    const isPhone = state.source === phone;
    if (isPhone && !session.mayWrite) {
      queue.hidden = false;
      return setText(queue, t("now.readOnly"));
    }
    queue.hidden = !isPhone || !session.phoneName
      || (outbox.waiting === 0 && !outbox.problem && outbox.rejected === 0 && !state.finder.best);
    queue.classList.toggle("bad", outbox.problem != null && outbox.problem !== "offline" || outbox.rejected > 0);
    setText(queue, queue.hidden ? "" : queueText(outbox));
  }

  for (const part of ["finder", "fix", "source", "devices"]) state.addEventListener(part, update);
  for (const part of ["outbox", "finder", "source"]) state.addEventListener(part, updateQueue);
  // A name that is being typed while the devices are read stays.
  state.addEventListener("source", () => { if (document.activeElement !== name) name.value = session.phoneName; });
  setInterval(() => { if (!document.hidden) updateReading(); }, 1000);
  update();
  updateQueue();
  return { element };
}

function headline(finder) {
  switch (finder.phase) {
    case "searching": return t("now.searching");
    case "found": return t(finder.isWeak ? "now.weak" : "now.found");
    case "stopped": return t(`now.stopped.${finder.end}`);
    case "failed": return t(`now.${finder.reason}`);
    default: return t("now.idle");
  }
}

function helpKey(finder, isPhone) {
  return finder.reason === "none" && !isPhone ? "now.noneDeviceHelp" : `now.${finder.reason}Help`;
}

function queueText({ waiting, problem, rejected }) {
  const parts = [];
  if (waiting > 0) parts.push(t("now.waiting", { count: waiting }));
  if (problem === "full") parts.push(t("now.queueFull"));
  else if (problem === "storage") parts.push(t("now.queueStorage"));
  else if (problem && problem !== "offline") parts.push(t("now.queueRefused", { reason: problem }));
  if (rejected > 0) parts.push(t("now.queueRejected", { count: rejected }));
  if (Math.abs(clock.ahead) >= greatestClockError) {
    parts.push(t(clock.ahead > 0 ? "now.clockAhead" : "now.clockBehind", { duration: format.duration(Math.abs(clock.ahead) / 1000) }));
  }
  return parts.length > 0 ? parts.join(". ") : t("now.sent");
}
