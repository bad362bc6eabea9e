// The page of a link to a journey: its way on the map, and its figures.

import { api } from "./api.js";
import { button, fill, h, icon, setText } from "./dom.js";
import * as format from "./format.js";
import { session } from "./session.js";
import { t } from "./strings.js";
import { details, title } from "./timeline.js";
import { trackOf } from "./tracks.js";
import { legendOf } from "./view-map.js";

/** The greatest number of fixes of a way that are read. */
const mostPoints = 100_000;

/** Shows the journey of the session's token. */
export async function showJourney(container) {
  const name = h("strong", { class: "name" }), figures = h("p", { class: "reading" }), times = h("p", { class: "place" });
  const told = h("p", { class: "hint", role: "status" });
  const canvas = h("div", { class: "map-canvas", role: "application", "aria-label": t("map.label") });
  const buttons = h("div", { class: "map-buttons" });
  document.body.dataset.view = "map";
  fill(container,
    h("header", {},
      h("img", { src: "/page/icon.svg", alt: "", width: 28, height: 28 }),
      h("strong", { class: "name", dir: "auto" }, session.rights.device)),
    h("main", { id: "content" }, h("section", { id: "journey", "aria-labelledby": "journey-title" },
      h("h1", { id: "journey-title" }, t("journey.title")), name, figures, times, told, legendOf(["gap"]))),
    h("div", { class: "map-pane" }, canvas, buttons));
  try {
    showFigures(await api.journey(session.rights.device));
    const isVisible = await showWay(await openMap(canvas, buttons));
    setText(told, isVisible ? "" : t("journey.hidden"));
  } catch (error) {
    setText(told, t("app.failed", { reason: error.message || t("app.offlineReason") }));
  }

  function showFigures(journey) {
    const segment = { ...journey, type: "journey" }, start = new Date(journey.start), end = new Date(journey.end);
    const isOneDay = format.dateText(start) === format.dateText(end);
    setText(name, title(segment));
    setText(figures, details(segment).join(" · "));
    setText(times, `${format.moment(start)} – ${isOneDay ? format.minuteOfDay(end) : format.moment(end)}`);
  }
}

async function openMap(canvas, buttons) {
  const { MapView } = await import("./map.js");
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

/** Draws the way, and returns whether any of it is visible. */
async function showWay(map) {
  const { device, since, until } = session.rights;
  // The end of a span is not a part of it.
  const end = new Date(Date.parse(until) + 1).toISOString();
  const { fixes } = await api.fixes(device, since, end, mostPoints);
  const track = trackOf(fixes);
  map.setTrack(track);
  map.fitTrack();
  return track.points > 0;
}
