// The view of the map: the pane itself, and what is shown on it. The map's code is loaded when the pane is first seen.

import { api, OfflineError } from "./api.js";
import { button, field, fillOptions, h, icon, setText } from "./dom.js";
import * as format from "./format.js";
import { readerChoice } from "./readers.js";
import { state } from "./state.js";
import { t } from "./strings.js";
import { crossingText, fenceName, isolated, shape, visitName } from "./texts.js";
import { paces, trackOf } from "./tracks.js";

/** The greatest number of fixes of a track that are read. */
const mostPoints = 100_000;
/** The time in milliseconds between two drawings of a track that grows. */
const growthInterval = 3000;
/** The time in milliseconds after which the map's code is loaded again where there was no answer. */
const retryInterval = 5000;

let canvas, pane, toolbar, info, mapPromise = null, tilesPromise = null;

/** Returns the map once it is loaded and has a size. */
function openMap() {
  mapPromise ??= loadMap();
  tilesPromise ??= showTiles();
  return mapPromise;
}

/** Loads the map's code, again where that fails. */
async function loadMap() {
  for (let failures = 0; ; failures += 1) {
    try {
      // Some browsers keep the failure of an address.
      const { MapView } = await import(failures === 0 ? "./map.js" : `./map.js?${failures}`);
      if (failures > 0) setText(info, "");
      return new MapView(canvas, select);
    } catch (error) {
      console.warn("map", error);
      setText(info, t("app.failed", { reason: t("app.offlineReason") }));
      await new Promise((resolve) => setTimeout(resolve, retryInterval));
    }
  }
}

/** Shows tiles if the server has some set up. Without a connection it is asked later. */
async function showTiles() {
  try {
    const { tiles } = await api.map();
    if (tiles) (await mapPromise).setTiles(tiles);
  } catch {
    tilesPromise = null;
  }
}

function isPaneVisible() { return canvas.clientWidth > 0 && canvas.clientHeight > 0; }

/** Makes the pane visible, which on a narrow screen is a view of its own, and returns the map; `null` if the person has left
 * it before the map is there. */
async function revealMap() {
  if (!isPaneVisible()) {
    location.hash = "#map";
    // The view changes with the event of the new address.
    while (!isPaneVisible()) {
      if (location.hash !== "#map" || !canvas.isConnected) return null;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }
  const map = await openMap();
  if (!isPaneVisible()) return null;
  // The event of the new size comes later.
  map.resize();
  return map;
}

function select(kind, value) {
  setText(info, kind === "fence" ? `${isolated(fenceName(value))}: ${shape(value)}`
    : `${crossingText(value)}, ${format.datedClock(value.time, value.uncertainty)}`);
}

/** Shows a fence, a crossing, a visit, or the track of a day, and returns whether the person has waited for the map. */
export async function showOnMap({ fence, crossing, visit, trip }) {
  const map = await revealMap();
  if (!map) return false;
  if (!trip && readers.chosen) {
    // These are shown to the owner alone. The track may come later.
    readers.chooseOwner();
    showTrip(shownTrip, { isAsked: false });
  }
  if (fence) {
    map.lookAtFence(fence);
    select("fence", fence);
  } else if (crossing) {
    map.lookAt(crossing, 100);
    select("crossing", crossing);
  } else if (visit) {
    map.lookAt(visit, 100);
    setText(info, visitName(visit));
  } else {
    showTrip(trip);
  }
  return true;
}

/** Shows a fence that is being made, or removes it. */
export async function previewOnMap(feature) {
  // The map may have been left with the fence on it, as by turning the phone.
  if (feature ? !isPaneVisible() : !mapPromise) return;
  const map = await openMap();
  map.setPreview(feature);
  if (feature) map.ensureVisible(feature);
}

/** The number of drawings that were asked for, and that of failures to load their code. */
let drawings = 0, sketchFailures = 0;

/** Loads the code of drawing; returns nothing if that fails. */
async function loadSketch() {
  try {
    // Some browsers keep the failure of an address.
    return await import(sketchFailures === 0 ? "./sketch.js" : `./sketch.js?${sketchFailures}`);
  } catch (error) {
    console.warn("sketch", error);
    sketchFailures += 1;
    return undefined;
  }
}

/** Lets the person draw a shape; returns its geometry, `null` if the person cancels, and nothing if another drawing has begun.
 *
 * @throws OfflineError if the code of drawing could not be loaded. */
export async function draw(kind) {
  const number = drawings += 1;
  const map = await revealMap();
  if (!map) return null;
  const sketch = await loadSketch();
  // Meanwhile the person may have left the map, or chosen another kind.
  if (number !== drawings) return undefined;
  if (!isPaneVisible()) return null;
  if (!sketch) throw new OfflineError();
  showContent(map);
  const geometry = await new sketch.Sketch(map, toolbar, kind).result;
  return number === drawings ? geometry : undefined;
}

// The track

let daySelect, readers, summary, again, shownTrip = null, loading = null, fixes = [], isRead = false, growth = null;
/** Whether the person wants to see no track of the source. */
let isNoneChosen = false;

/** States what is shown of the track. One that `hasFailed` to be read can be read again. */
function summarize(text, hasFailed = false) {
  setText(summary, text);
  again.hidden = !hasFailed;
}

/** The trips to choose from, the newest first. A day of imported positions has none until its track is shown. */
function tripsToChoose() {
  const isKnown = !shownTrip || state.trips.some(({ trip }) => trip === shownTrip.trip);
  return isKnown ? state.trips : [...state.trips, shownTrip].sort((a, b) => Date.parse(b.began) - Date.parse(a.began));
}

function updateDays() {
  fillOptions(daySelect, h("option", { value: "" }, t("map.noTrack")),
    tripsToChoose().map(({ trip }) => h("option", { value: trip }, format.tripName(trip))));
  daySelect.value = shownTrip?.trip ?? "";
}

/** Shows the track of a trip, or removes it. The part in view stays where the person has chosen it since. */
async function showTrip(trip, { isAsked } = { isAsked: true }) {
  loading?.abort();
  const abort = loading = new AbortController(), device = state.device;
  shownTrip = trip ?? null;
  fixes = [];
  isRead = false;
  updateDays();
  const map = await openMap();
  // Another device or day may have been chosen while the map was loaded.
  if (abort.signal.aborted) return;
  map.setTrack(null);
  showContent(map);
  const willFit = map.willFit({ isAsked });
  summarize("");
  summary.setAttribute("aria-live", "polite");
  if (!trip) return;
  // The end of a span does not belong to it, and that of a trip is its last fix.
  const reader = readers.chosen, end = trip.ended && new Date(Date.parse(trip.ended) + 1).toISOString();
  try {
    const page = await api.fixes(device, trip.began, end, mostPoints, {
      signal: abort.signal, reader: reader?.id, onProgress: (count) => summarize(t("map.loading", { points: points(count) })),
    });
    if (abort.signal.aborted) return;
    fixes = page.fixes;
    endReading();
    const track = drawTrack(map);
    if (willFit()) map.fitTrack();
    if (reader) {
      summarize(t("map.seenBy", {
        name: reader.label || t("map.unnamedReader"), points: points(fixes.length),
        coarse: format.count(page.coarse), withheld: format.count(page.withheld),
      }));
    } else if (page.hasMore) summarize(t("map.cut", { points: points(track.points) }));
  } catch (error) {
    if (abort.signal.aborted) return;
    endReading();
    summarize(t("map.failed", { reason: error.message || t("app.offlineReason") }), true);
  }
}

/** From now on the track grows. It begins with what came while it was read. */
function endReading() {
  isRead = true;
  grow();
}

function points(count) { return t("map.points", { count, points: format.count(count) }); }

function drawTrack(map) {
  const track = trackOf(fixes);
  map.setTrack(track);
  summarize(track.points === 0 ? t("map.empty")
    : [points(track.points), t("record.gaps", { count: track.gaps.length })].join(", "));
  return track;
}

/** Appends the newest fixes to the track of a day that goes on. The stream sends the newest of each batch only, so they
 * are read. */
function grow() {
  // At midnight another trip begins, and this one does not grow any more.
  if (!shownTrip?.open || readers.chosen || state.trips[0]?.trip !== shownTrip.trip || !isRead || growth) return;
  growth = setTimeout(async () => {
    growth = null;
    const trip = shownTrip, known = fixes, last = known.at(-1), left = mostPoints - known.length;
    if (!trip || !state.device || state.trips[0]?.trip !== trip.trip || !isRead || left <= 0) return;
    try {
      const page = await api.fixes(state.device, last?.time ?? trip.began, null, left);
      // Meanwhile another track may have been read, or this one anew.
      if (known !== fixes) return grow();
      const news = page.fixes.filter(({ time }) => !last || Date.parse(time) > Date.parse(last.time));
      if (news.length === 0) return;
      fixes = known.concat(news);
      // Nobody wants to hear the number of points every three seconds.
      summary.setAttribute("aria-live", "off");
      drawTrack(await openMap());
    } catch {
      // Without a connection the track grows later.
    }
  }, growthInterval);
}

/** Shows what lies beside the track: everything to the owner. What another reader gets of the fences, the crossings and
 * the newest location is not known here, so with another reader's eyes none of them is shown. */
function showContent(map, part) {
  const isOwn = readers.chosen == null;
  if (!part || part === "fences") map.setFences(isOwn ? state.fences.features : []);
  if (!part || part === "crossings") map.setCrossings(isOwn ? [...state.crossings.values()] : []);
  if (!part || part === "fix" || part === "finder") {
    map.setFix(isOwn ? state.location : null, state.finder.isRunning);
  }
}

/** The legend of the colours of speeds, and of other marks by their names. */
export function legendOf(marks) {
  return h("details", { class: "legend" }, h("summary", {}, t("map.legend")),
    h("ul", {}, paces.map(({ name }) => h("li", {}, h("i", { class: `swatch ${name}` }), t(`pace.${name}`))),
      h("li", {}, h("i", { class: "swatch unknown" }), t("pace.unknown")),
      marks.map((name) => h("li", {}, h("i", { class: `swatch ${name}` }), t(`map.${name}`)))));
}

export function mapView() {
  daySelect = h("select", {
    on: {
      change: () => {
        isNoneChosen = daySelect.value === "";
        showTrip(tripsToChoose().find(({ trip }) => trip === daySelect.value));
      },
    },
  });
  readers = readerChoice((options) => {
    setText(info, "");
    showTrip(shownTrip, options);
  });
  summary = h("p", { class: "hint", role: "status" });
  again = button(t("map.again"), () => {
    // The button goes with the answer.
    element.querySelector("h1").focus();
    showTrip(shownTrip);
  });
  again.hidden = true;
  info = h("p", { class: "info", role: "status", dir: "auto" });
  const legend = legendOf(["gap", "fence", "margin", "fix", "accuracy", "enter", "exit", "dwell"]);
  const element = h("section", { id: "map", "aria-labelledby": "map-title" },
    h("h1", { id: "map-title", tabindex: -1 }, t("map.title")),
    field(t("map.day"), daySelect), readers.element, summary, again, legend);

  canvas = h("div", { class: "map-canvas", role: "application", "aria-label": t("map.label") });
  toolbar = h("div", { class: "toolbar", hidden: true });
  const control = (name, picture, action) => button(icon(picture), async () => action(await openMap()), {
    class: "square", "aria-label": t(`map.${name}`), title: t(`map.${name}`),
  });
  pane = h("div", { class: "map-pane" }, canvas,
    h("div", { class: "map-buttons" },
      control("zoomIn", "zoomIn", (map) => map.zoom(1)), control("zoomOut", "zoomOut", (map) => map.zoom(-1)),
      control("here", "now", (map) => map.goToFix()), control("fit", "fit", (map) => map.fitAll())),
    info, toolbar);

  async function update(part) {
    if (!isPaneVisible()) return;
    const map = await openMap();
    // Without a size nothing is put into view. What is shown comes with the next look at the map.
    if (!isPaneVisible()) return;
    showContent(map, part);
    if ((!part || part === "trips") && !shownTrip && !isNoneChosen && state.trips[0]?.open) {
      showTrip(state.trips[0], { isAsked: false });
    }
  }

  state.addEventListener("source", () => {
    loading?.abort();
    shownTrip = null;
    isNoneChosen = false;
    fixes = [];
    setText(info, "");
    summarize("");
    mapPromise?.then((map) => {
      map.setTrack(null);
      // The chosen place belongs to the device before.
      map.release();
    });
    readers.update();
  });
  state.addEventListener("trips", updateDays);
  for (const part of ["fix", "connection"]) state.addEventListener(part, grow);
  state.addEventListener("connection", () => { if (mapPromise && state.isOnline) tilesPromise ??= showTiles(); });
  for (const part of ["fences", "crossings", "fix", "finder", "trips"]) {
    state.addEventListener(part, () => update(part));
  }
  let wasVisible = false, wasOpen = false;
  new ResizeObserver(() => {
    const isVisible = isPaneVisible();
    if (isVisible) mapPromise?.then((map) => map.resize());
    if (isVisible && !wasVisible) update();
    wasVisible = isVisible;
  }).observe(canvas);
  // On a wide screen the map is beside every view. Links may have been made or ended in another one.
  new ResizeObserver(() => {
    const isOpen = element.clientHeight > 0;
    if (isOpen && !wasOpen) readers.update();
    wasOpen = isOpen;
  }).observe(element);
  updateDays();
  readers.update();
  return { element, pane };
}
