// The page of a link to a journey: the path on the map, and the figures.

import { api, OfflineError } from "./api.js";
import { button, fill, h, icon, setText } from "./dom.js";
import * as format from "./format.js";
import { session } from "./session.js";
import { t } from "./strings.js";
import { details, title } from "./timeline.js";
import { trackOf } from "./tracks.js";
import { legendOf } from "./view-map.js";

/** The greatest number of fixes of a path that are read. */
const mostPoints = 100_000;

/** Shows the journey of the session's token. */
export async function showJourney(container) {
  const name = h("strong", { class: "name" }), figures = h("p", { class: "reading" }), times = h("p", { class: "place" });
  const notice = h("p", { class: "hint", role: "status" });
  const canvas = h("div", { class: "map-canvas", role: "application", "aria-label": t("map.label") });
  const buttons = h("div", { class: "map-buttons" });
  document.body.dataset.view = "map";
  fill(container,
    h("header", {},
      h("img", { src: "/page/icon.svg", alt: "", width: 28, height: 28 }),
      h("strong", { class: "name", dir: "auto" }, session.rights.device)),
    h("main", { id: "content" }, h("section", { id: "journey", "aria-labelledby": "journey-title" },
      h("h1", { id: "journey-title" }, t("journey.title")), name, figures, times, notice, legendOf(["gap"]),
      h("div", { class: "row" }, button(t("settings.signOut"), signOut, { class: "last" })))),
    h("div", { class: "map-pane" }, canvas, buttons));
  try {
    showFigures(await api.journey(session.rights.device));
    const isVisible = await showPath(await openMap(canvas, buttons));
    setText(notice, isVisible ? "" : t("journey.hidden"));
  } catch (error) {
    setText(notice, t("app.failed", { reason: error.message || t("app.offlineReason") }));
  }

  function showFigures(journey) {
    const segment = { ...journey, type: "journey" }, start = new Date(journey.start), end = new Date(journey.end);
    const isOneDay = format.dateText(start) === format.dateText(end);
    setText(name, title(segment));
    setText(figures, details(segment).join(" · "));
    setText(times, `${format.moment(start)} – ${isOneDay ? format.minuteOfDay(end) : format.moment(end)}`);
  }
}

/** Returns to the person's own session, if the browser remembers one. */
function signOut() {
  session.forget();
  location.reload();
}

async function openMap(canvas, buttons) {
  // The message of the browser is in no language of the page.
  const { MapView } = await import("./map.js").catch((cause) => { throw new OfflineError("", { cause }); });
  const map = new MapView(canvas, () => {});
  const control = (name, picture, action) => button(icon(picture), action, {
    class: "square", "aria-label": t(`map.${name}`), title: t(`map.${name}`),
  });
  fill(buttons, control("zoomIn", "zoomIn", () => map.zoom(1)), control("zoomOut", "zoomOut", () => map.zoom(-1)),
    control("fit", "fit", () => map.fitAll()));
  new ResizeObserver(() => map.resize()).observe(canvas);
  // Without an answer the grid stays.
  api.map().then(({ tiles }) => { if (tiles) map.setTiles(tiles); }).catch(() => {});
  return map;
}

/** Draws the path, and returns whether a part of the path is visible. */
async function showPath(map) {
  const willFit = map.willFit({ isAsked: false });
  // The server answers with the fixes of the journey alone.
  const { fixes } = await api.fixes(session.rights.device, null, null, mostPoints);
  const track = trackOf(fixes);
  map.setTrack(track);
  if (willFit()) map.fitTrack();
  return track.points > 0;
}
