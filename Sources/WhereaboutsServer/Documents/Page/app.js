// The page: signing in, the frame around the views, and which view is shown.

import { api, events, OfflineError } from "./api.js";
import { button, confirm, field, fill, fillOptions, focusOn, h, icon, markFirstEntry, openDialog, setText } from "./dom.js";
import * as format from "./format.js";
import { hasToken, removeTokenFromAddress, session } from "./session.js";
import { phone, state } from "./state.js";
import { language, languageNames, setLanguage, t } from "./strings.js";
import { newsText } from "./texts.js";
import { fencesView } from "./view-fences.js";
import { acceptInvitation } from "./view-invitation.js";
import { showJourney } from "./view-journey.js";
import { mapView } from "./view-map.js";
import { nowView } from "./view-now.js";
import { recordView, sortedCrossings } from "./view-record.js";
import { signIn } from "./view-signin.js";

const views = ["now", "map", "fences", "record"];
/** The time in milliseconds within which the first connection and the queue of positions are open, usually. */
const openingTime = 3000;
const container = document.getElementById("app");
/** The modules that views load when they need them. */
const laterModules = ["map.js", "leaflet.js", "sketch.js"];

async function run() {
  document.documentElement.lang = language;
  registerWorker();
  readLaterModules();
  addEventListener("hashchange", openLink);
  const token = removeTokenFromAddress(), isSignedIn = token == null && session.token != null;
  if (token && await acceptInvitation(container, token)) {
    history.replaceState(null, "", "#map");
  } else if (!isSignedIn) {
    await signIn(container, { token, message: session.hasLinkEnded ? t("signin.linkEnded") : "" });
  } else {
    await readRights();
  }
  events.addEventListener("unauthorized", signInAgain, { once: true });
  addEventListener("storage", signOutToo);
  const opening = session.rights?.until ? showJourney(container) : build();
  // The form with the focus is gone. A screen reader reads on in the view.
  if (!isSignedIn) focusOn(container.querySelector("main section:not([hidden]) h1"));
  await opening;
}

/** Opens a link that comes to a page that is open already. Nothing else handles its address. */
function openLink(event) {
  if (!hasToken(location.hash)) return;
  event.stopImmediatePropagation();
  location.reload();
}

/** Leaves the page where another tab has signed out with the token of this one, or in with another token. */
function signOutToo({ key }) {
  if (session.isShared && (key === null || session.isKey(key))) location.reload();
}

/** Makes the page open without a connection, where the browser can do that. */
function registerWorker() {
  const path = "/page/worker.js";
  // The content policy allows one script by its address: this one.
  const policy = window.trustedTypes?.createPolicy("worker", { createScriptURL: () => path });
  navigator.serviceWorker?.register(policy?.createScriptURL(path) ?? path, { scope: "/" })
    .catch((error) => console.warn("service worker", error));
}

/** Reads the modules that views load later, while the worker has those of this page. The worker of a new version takes over
 * at any time, and its modules may not fit the present ones. */
async function readLaterModules() {
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.ready;
  for (const name of laterModules) {
    document.head.append(h("link", { rel: "modulepreload", href: `/page/${name}` }));
  }
}

/** Reads the rights of the token; without a connection, or in a network that answers nothing, those of the last time count. */
async function readRights() {
  session.restoreRights();
  try {
    session.storeRights(await api.rights(session.rights ? openingTime : undefined));
  } catch (error) {
    if (error.status === 401) return signInAnew();
    if (!(error instanceof OfflineError) && error.status == null) throw error;
    if (!session.rights) session.rights = { label: "", scopes: [] };
  }
}

async function signInAnew() {
  session.end();
  await signIn(container, { message: t(session.hasLinkEnded ? "signin.linkEnded" : "signin.ended") });
}

async function signInAgain() {
  state.close();
  // An open form would cover that for signing in, and the layout of the map or of a drawing would leave it no room.
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  for (const name of ["view", "sketching"]) delete document.body.dataset[name];
  await signInAnew();
  location.reload();
}

// The frame

/** Builds the frame, and returns a promise of the devices. */
function build() {
  const map = mapView();
  const sections = { now: nowView(), map, fences: fencesView(), record: recordView() };
  const source = h("select", {
    id: "source", "aria-label": t("app.source"), on: { change: () => state.select(source.value) },
  });
  const connection = h("p", { class: "connection", role: "status" });
  // The text beside it says more.
  const badge = h("span", { class: "badge", "aria-hidden": "true" });
  const badgeText = h("span", { class: "sr-only" });
  const links = Object.fromEntries(views.map((name) => [name, h("a", { href: `#${name}` },
    icon(name), h("span", {}, t(`nav.${name}`)),
    name === "record" && [badge, badgeText])]));
  const newsLine = h("span"), news = h("a", { class: "news", href: "#record" }, newsLine);
  const main = h("main", { id: "content" }, views.map((name) => sections[name].element));
  fill(container,
    h("a", { class: "skip", href: "#content", on: { click: skip } }, t("app.skip")),
    h("header", {},
      h("img", { src: "/page/icon.svg", alt: "", width: 28, height: 28 }), source,
      button(icon("settings"), openSettings, { class: "plain square", "aria-label": t("app.menu"), title: t("app.menu") })),
    h("nav", { "aria-label": t("app.views") }, views.map((name) => links[name])),
    h("div", { class: "bars", role: "status" }, news), connection, main, map.pane);

  function skip(event) {
    event.preventDefault();
    main.querySelector("section:not([hidden]) h1").focus();
  }

  function route(event) {
    // The form for signing in has no views.
    if (!main.isConnected) return;
    const wanted = location.hash.slice(1), name = views.includes(wanted) ? wanted : "now";
    document.body.dataset.view = name;
    for (const view of views) {
      sections[view].element.hidden = view !== name;
      if (view === name) links[view].setAttribute("aria-current", "page");
      else links[view].removeAttribute("aria-current");
    }
    updateNews();
    if (!event) return;
    // Another page or program may have changed the fences, or erased the device. The record reads by itself.
    if (name !== "record") state.refresh();
    main.scrollTop = document.documentElement.scrollTop = 0;
    // So that a screen reader reads on in the new view.
    if (!(document.activeElement?.closest?.("dialog, .map-canvas")?.clientWidth > 0)) {
      sections[name].element.querySelector("h1").focus();
    }
  }

  function updateSources() {
    const named = session.phoneName ? t("app.thisPhoneNamed", { name: session.phoneName }) : t("app.thisPhone");
    const ids = new Set([...state.devices.map(({ id }) => id), state.source].filter((id) => id !== phone));
    const others = [...ids].filter((id) => id !== session.phoneName || !session.mayWrite);
    fillOptions(source,
      (session.mayWrite || others.length === 0) && h("option", { value: phone }, named),
      others.map((id) => h("option", { value: id }, id)));
    source.value = state.source;
  }

  function updateNews() {
    const count = state.newCount, number = state.hasMoreNew ? `${count}+` : String(count);
    const newest = sortedCrossings().find((crossing) => state.isNew(crossing));
    badge.hidden = count === 0;
    setText(badge, count > 99 ? "99+" : number);
    setText(badgeText, count === 0 ? "" : t("nav.new", { count, number }));
    news.hidden = count === 0 || document.body.dataset.view === "record";
    setText(newsLine, newest ? t("record.notified", {
      count, number, text: `${newsText(newest)}, ${format.datedClock(newest.time, newest.uncertainty)}`,
    }) : "");
    document.title = count > 0 ? `(${number}) Whereabouts` : "Whereabouts";
  }

  // The first moments are no loss of the connection.
  let isOpening = true;
  const updateConnection = () => {
    if (state.isOnline) isOpening = false;
    setText(connection, state.isDisconnected && !(isOpening && navigator.onLine) ? t("app.disconnected") : "");
  };
  setTimeout(() => {
    isOpening = false;
    updateConnection();
  }, openingTime);
  state.addEventListener("connection", updateConnection);
  for (const part of ["devices", "source"]) state.addEventListener(part, updateSources);
  for (const part of ["crossings", "source", "fences"]) state.addEventListener(part, updateNews);
  addEventListener("hashchange", route);
  markFirstEntry();
  updateSources();
  route();
  return state.open();
}

// The settings

function openSettings() {
  let name;
  return openDialog(t("app.menu"), (close) => {
    const languages = h("select", { on: { change: () => setLanguage(languages.value) } },
      Object.entries(languageNames).map(([tag, name]) =>
        h("option", { value: tag, lang: tag, selected: tag === language }, name)));
    name = h("input", {
      value: session.phoneName, maxlength: 100, autocomplete: "off",
      on: { change: () => state.rename(name.value.trim()) },
    });
    const rights = session.rights ?? { scopes: [] };
    return [
      field(t("settings.language"), languages),
      session.mayWrite && rights.device == null && field(t("settings.phone"), name, t("settings.phoneHint")),
      h("p", {}, t("settings.signedIn", { label: rights.label })),
      h("p", { class: "hint" }, t("settings.may", {
        scopes: rights.scopes.map((scope) => t(`settings.scope.${scope}`)).join(", "),
      })),
      rights.accuracyCap && h("p", { class: "hint" },
        t("settings.capped", { length: format.length(rights.accuracyCap) })),
      h("p", { class: "hint" }, h("a", { href: "/page/leaflet-license.txt", target: "_blank", rel: "noopener" },
        t("settings.licence"))),
      h("div", { class: "row" },
        button(t("app.close"), () => close(), { class: "primary" }),
        button(t("settings.signOut"), signOut, { class: "last" })),
    ];
    // The loss of the focus, as the settings close, would be a change of the name.
  }, { onCancel: () => { name.value = session.phoneName; } });
}

let isSigningOut = false;

async function signOut() {
  // A second press would ask twice, and could take the token that the browser remembers beside that of a link.
  if (isSigningOut) return;
  isSigningOut = true;
  // The positions that wait are those of the person who has opened a link, not those of the link.
  if (!session.isVisit && !await deletePositions()) {
    isSigningOut = false;
    return;
  }
  session.forget();
  location.reload();
}

/** Deletes the positions that wait, and returns whether the person has agreed. */
async function deletePositions() {
  // Some browsers fail to answer whether they open a database. The token must not stay for that.
  const late = new Promise((resolve) => setTimeout(() => resolve(state.outbox.waiting), openingTime));
  // Positions under an earlier name of the phone are deleted, too.
  const waiting = await Promise.race([state.outbox.opening.then(() => state.outbox.countAll()), late]);
  if (waiting > 0) {
    const sure = await confirm(t("settings.signOutQuestion"), t("settings.signOutWaiting", { count: waiting }),
      t("settings.signOutYes"), t("app.cancel"));
    if (!sure) return false;
  }
  state.close();
  try {
    await state.outbox.clear();
  } catch (error) {
    // The browser's database fails. The token must not stay for that.
    console.warn("outbox", error);
  }
  return true;
}

run();
