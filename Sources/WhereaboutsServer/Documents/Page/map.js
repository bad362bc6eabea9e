// The map, drawn by Leaflet on a canvas. Without tiles a grid of degrees and a scale stand in for them.

import * as L from "./leaflet.js";
import { fill, h, setText } from "./dom.js";
import * as format from "./format.js";
import { nearestLongitude, places, unwrapped } from "./geo.js";

// The colours are those of the pictures that the command draws; app.css has lighter ones for a dark page.
const greatestZoom = 21;
const darkness = matchMedia("(prefers-color-scheme: dark)");
/** The keys that move the map or change its zoom. */
const movingKeys = /^(Arrow.*|[-+=_])$/;

/** Reads colours by the names of properties of the style sheet. */
function readColors() {
  const style = getComputedStyle(document.documentElement);
  return new Proxy({}, {
    get(known, name) {
      known[name] ??= style.getPropertyValue(`--${name}`).trim();
      return known[name];
    },
  });
}

/** The mark of a crossing, as in the pictures: its point shows down at an arrival and up at a departure. */
const CrossingMark = L.CircleMarker.extend({
  _updatePath() {
    const { kind } = this.options, renderer = this._renderer;
    if (kind === "dwell") return renderer._updateCircle(this);
    if (!renderer._drawing || this._empty()) return undefined;
    const { x, y } = this._point, down = kind === "enter" ? 1 : -1, context = renderer._ctx;
    context.beginPath();
    context.moveTo(x - 8, y - 6 * down);
    context.lineTo(x + 8, y - 6 * down);
    context.lineTo(x, y + 8 * down);
    context.closePath();
    return renderer._fillStroke(context, this);
  },
});

/** The map with its layers. `onSelect(kind, value)` gets the fence or the crossing that the person presses. */
export class MapView {
  #onSelect;
  #fences = L.layerGroup();
  #track = L.layerGroup();
  #crossings = L.layerGroup();
  #fixLayer = L.layerGroup();
  #previewLayer = L.layerGroup();
  #tiles = null;
  #attribution = h("p", { class: "map-attribution" });
  #colors = readColors();
  /** Lines whose width is a length on the ground. */
  #grounded = [];
  #content = { fences: [], track: null, crossings: [], fix: null, preview: null };
  /** The longitude near which everything is drawn, so that a track across 180° and the fences beside it are one picture. */
  #meridian = 0;
  /** Whether the person has chosen what to see. */
  #isHeld = false;
  #isPlaced = false;
  /** The number of times that a part to see was chosen. */
  #choices = 0;
  /** Whether something is drawn under the cross of the map, which nothing but the person moves. */
  #isPinned = false;
  /** Whether a track waits for the map to be shown. */
  #waitsForTrack = false;

  constructor(container, onSelect) {
    this.#onSelect = onSelect;
    this.leaflet = L.map(container, {
      zoomControl: false, attributionControl: false, preferCanvas: true, renderer: L.canvas({ padding: 0.5 }),
      zoomAnimation: false, fadeAnimation: false, minZoom: 2, maxZoom: greatestZoom, maxBounds: [[-90, -540], [90, 540]],
      inertia: !matchMedia("(prefers-reduced-motion: reduce)").matches,
    }).setView([30, 0], 2);
    this.container = container;
    this.#addGrid();
    for (const layer of [this.#fences, this.#track, this.#crossings, this.#fixLayer, this.#previewLayer]) {
      layer.addTo(this.leaflet);
    }
    this.leaflet.on("zoomend", () => this.#updateWidths());
    this.leaflet.on("dragstart boxzoomend", () => this.hold());
    for (const kind of ["wheel", "dblclick"]) container.addEventListener(kind, () => this.hold(), { passive: true });
    container.addEventListener("touchmove", ({ touches }) => { if (touches.length > 1) this.hold(); }, { passive: true });
    // Not the keys that lead to the map and away from it.
    container.addEventListener("keydown", ({ key }) => { if (movingKeys.test(key)) this.hold(); });
    darkness.addEventListener("change", () => {
      this.#colors = readColors();
      this.#drawAll();
    });
  }

  /** Keeps the part in view until the person or a button asks for another one. */
  hold() {
    this.#isHeld = this.#isPlaced = true;
    this.#waitsForTrack = false;
    this.#choices += 1;
  }

  /** Lets the part in view follow what is shown next, as it does at first; not under a drawing. */
  release() {
    if (!this.#isPinned) this.#isHeld = this.#isPlaced = this.#waitsForTrack = false;
  }

  /** Holds the part in view. Until `unpin()` the location is not followed either where the person goes to it. */
  pin() {
    this.#isPinned = true;
    this.hold();
  }

  unpin() { this.#isPinned = false; }

  /** Returns whether the part in view may follow an answer that comes later: not where the person has meanwhile chosen
   * another one, nor, for content that nobody `isAsked` for, where one is held. */
  willFit({ isAsked }) {
    const choices = this.#choices;
    return () => choices === this.#choices && (isAsked || !this.#isHeld);
  }

  get center() {
    const { lat, lng } = this.leaflet.getCenter().wrap();
    return { lat, lon: lng };
  }

  /** Puts tiles below everything. The grid shows through where there are none. */
  setTiles({ template, attribution, link, minZoom, maxZoom }) {
    this.#tiles?.remove();
    const Tiles = L.GridLayer.extend({
      createTile(place, done) {
        // Owners of tiles ask for the address of the page that shows them; its path and fragment stay here.
        const image = h("img", { alt: "", referrerpolicy: "origin" });
        image.addEventListener("load", () => done(null, image));
        image.addEventListener("error", () => done(new Error("no tile"), image));
        image.src = template.replace(/\{([xyz])\}/g, (_, name) => place[name]);
        return image;
      },
    });
    this.#tiles = new Tiles({ minZoom, maxNativeZoom: maxZoom, maxZoom: greatestZoom, updateWhenZooming: false });
    this.#tiles.addTo(this.leaflet);
    fill(this.#attribution, link?.startsWith("https://")
      ? h("a", { href: link, target: "_blank", rel: "noopener" }, attribution) : attribution);
    this.container.append(this.#attribution);
    this.container.classList.add("has-tiles");
    this.#drawTrack();
  }

  /** Takes the size of the container. Without `keepsCenter` the places stay where they are on the screen. Of a map that had no
   * size, as in a view that was not shown, only the centre is known. */
  resize({ keepsCenter = !this.#hasSize } = {}) {
    this.leaflet.invalidateSize({ pan: keepsCenter });
    if (this.#waitsForTrack) this.fitTrack();
  }

  zoom(steps) {
    this.hold();
    this.leaflet.setZoom(this.leaflet.getZoom() + steps);
  }

  // The part in view

  lookAt(place, metres) {
    this.hold();
    this.leaflet.fitBounds(bounds(this.#near(place), metres), { animate: false });
  }

  lookAtFence(feature) {
    this.hold();
    this.leaflet.fitBounds(this.#fenceBounds(feature).pad(0.5), { animate: false });
  }

  ensureVisible(feature) {
    const wanted = this.#fenceBounds(feature);
    if (!this.leaflet.getBounds().contains(wanted)) this.leaflet.fitBounds(wanted.pad(0.5), { animate: false });
    this.#isPlaced = true;
  }

  goToFix() {
    if (!this.#content.fix) return;
    this.hold();
    this.#fitFix();
  }

  fitAll() {
    this.#fitContent();
    this.hold();
  }

  /** Whether there is room for a part. A view that is not shown has none. */
  get #hasSize() {
    const { x, y } = this.leaflet.getSize();
    return x > 0 && y > 0;
  }

  /** Shows the location, which is followed from then on. */
  #fitFix() {
    const { fix } = this.#content;
    this.leaflet.fitBounds(bounds(this.#near(fix), Math.max(100, 3 * (fix.hacc ?? 0))), { animate: false });
    this.#isPlaced = true;
    this.#isHeld = this.#isPinned;
  }

  #fitContent() {
    const { fences, track, fix } = this.#content;
    const all = L.latLngBounds([]);
    for (const feature of fences) all.extend(this.#fenceBounds(feature));
    for (const { line } of track?.stretches ?? []) for (const place of line) all.extend(point(place));
    if (fix) all.extend(bounds(this.#near(fix), 100));
    if (all.isValid()) this.leaflet.fitBounds(all.pad(0.1), { animate: false });
  }

  /** Shows the whole track, at the next look if the map is not shown now. */
  fitTrack() {
    const all = L.latLngBounds((this.#content.track?.stretches ?? []).flatMap(({ line }) => line.map(point)));
    this.#waitsForTrack = all.isValid() && !this.#hasSize;
    if (!all.isValid() || !this.#hasSize) return;
    this.#isPlaced = true;
    this.leaflet.fitBounds(all.pad(0.1), { animate: false, maxZoom: 18 });
  }

  // The content

  setFix(fix, isLive) {
    this.#content.fix = fix;
    if (fix && !this.#content.track) this.#setMeridian(nearestLongitude(fix.lon, this.#meridian));
    this.#drawFix();
    if (!fix) return;
    const place = point(this.#near(fix));
    if (!this.#isPlaced) {
      if (this.#hasSize) this.#fitFix();
    } else if (isLive && !this.#isHeld && !this.leaflet.getBounds().pad(-0.05).contains(place)) {
      this.leaflet.panTo(place, { animate: false });
    }
  }

  setFences(features) {
    const { fix, track } = this.#content;
    this.#content.fences = features;
    if (!fix && !track && features.length > 0) this.#setMeridian(places(features[0].geometry)[0].lon);
    this.#drawFences();
    if (!this.#isPlaced && !fix && features.length > 0 && this.#hasSize) this.#fitContent();
  }

  setTrack(track) {
    this.#content.track = track;
    const first = track?.stretches[0]?.line[0];
    if (first) this.#setMeridian(first.lon);
    this.#drawTrack();
  }

  setCrossings(crossings) {
    this.#content.crossings = crossings.filter(({ lat, revoked }) => lat != null && !revoked);
    this.#drawCrossings();
  }

  setPreview(feature) {
    this.#content.preview = feature;
    this.#drawPreview();
  }

  /** Shifts what is drawn by whole turns, if it has to be. */
  #setMeridian(longitude) {
    const { fences, crossings, preview } = this.#content;
    const before = this.#meridian;
    this.#meridian = longitude;
    const isShifted = ({ lon }) => nearestLongitude(lon, before) !== nearestLongitude(lon, longitude);
    const marks = [...fences, preview].filter(Boolean).flatMap(({ geometry }) => places(geometry)).concat(crossings);
    if (marks.some(isShifted)) this.#drawAll();
  }

  #near(place) { return { ...place, lon: nearestLongitude(place.lon, this.#meridian) }; }

  #fenceBounds({ geometry, properties }) {
    const all = unwrapped(places(geometry), this.#meridian);
    const size = geometry.type === "Point" ? properties.radius : (properties.width ?? 0) / 2;
    const result = L.latLngBounds(all.map(point));
    for (const place of all) if (size > 0) result.extend(bounds(place, size));
    return result;
  }

  // Drawing

  #drawAll() {
    this.#drawFences();
    this.#drawPreview();
    this.#drawGrid();
  }

  /** Draws anew what lies above the lines: a canvas shows the last drawn thing on top. */
  #drawMarks() {
    this.#drawCrossings();
    this.#drawFix();
  }

  #drawFix() {
    this.#fixLayer.clearLayers();
    const { fix } = this.#content, colors = this.#colors;
    if (!fix) return;
    const place = point(this.#near(fix));
    if (fix.hacc > 0) {
      L.circle(place, {
        radius: fix.hacc, color: colors.halo, weight: 1, fillOpacity: 0.2, interactive: false,
      }).addTo(this.#fixLayer);
    }
    L.circleMarker(place, {
      radius: 7, color: colors.raised, weight: 2, fillColor: colors.room, fillOpacity: 1, interactive: false,
    }).addTo(this.#fixLayer);
  }

  #drawTrack() {
    this.#track.clearLayers();
    const { track } = this.#content, colors = this.#colors;
    if (!track) return this.#drawMarks();
    // One layer a colour: Leaflet clips and simplifies its lines for each zoom.
    const lines = new Map();
    for (const { pace, line } of track.stretches) {
      if (!lines.has(pace)) lines.set(pace, []);
      lines.get(pace).push(line.map(point));
    }
    const style = { weight: 4, interactive: false, smoothFactor: 1.5 };
    L.polyline(track.gaps.map((gap) => gap.map(point)), {
      ...style, weight: 2, color: colors.gap, dashArray: "6 6",
    }).addTo(this.#track);
    if (this.#tiles) {
      // A light edge, as in the pictures, sets the track off from the colours of the tiles.
      L.polyline([...lines.values()].flat(), { ...style, weight: 7, opacity: 0.75, color: colors.raised }).addTo(this.#track);
    }
    for (const [pace, parts] of lines) L.polyline(parts, { ...style, color: colors[pace] }).addTo(this.#track);
    this.#drawMarks();
  }

  #drawCrossings() {
    this.#crossings.clearLayers();
    const colors = this.#colors;
    for (const crossing of this.#content.crossings) {
      new CrossingMark(point(this.#near(crossing)), {
        radius: 8, kind: crossing.event, color: colors.raised, weight: 2, fillColor: colors[crossing.event], fillOpacity: 1,
      }).on("click", () => this.#onSelect("crossing", crossing)).addTo(this.#crossings);
    }
  }

  #drawFences() {
    this.#fences.clearLayers();
    this.#grounded = this.#grounded.filter(({ group }) => group !== this.#fences);
    for (const feature of this.#content.fences) this.#addFence(feature, this.#fences, this.#colors.fence);
    this.#drawTrack();
  }

  #drawPreview() {
    this.#previewLayer.clearLayers();
    this.#grounded = this.#grounded.filter(({ group }) => group !== this.#previewLayer);
    const { preview } = this.#content;
    if (preview) this.#addFence(preview, this.#previewLayer, this.#colors.bad);
  }

  #addFence(feature, group, color) {
    const { geometry, properties } = feature, margin = properties.hysteresisMargin ?? 0;
    const style = { color, weight: 2, fillOpacity: 0.12 };
    const [first] = places(geometry), start = this.#near(first).lon;
    const lineOf = (positions) => unwrapped(positions.map(([lon, lat]) => ({ lat, lon })), start).map(point);
    let shape;
    if (geometry.type === "Point") {
      const center = point(this.#near(first));
      shape = L.circle(center, { ...style, radius: properties.radius });
      if (margin > 0) {
        L.circle(center, {
          ...style, radius: properties.radius + margin, weight: 1, dashArray: "4 4", fill: false, interactive: false,
        }).addTo(group);
      }
    } else if (geometry.type === "LineString") {
      const line = lineOf(geometry.coordinates);
      this.#addGrounded(L.polyline(line, { color, opacity: 0.2, interactive: false }), properties.width, group);
      if (margin > 0) {
        this.#addGrounded(
          L.polyline(line, { color, opacity: 0.1, interactive: false }), properties.width + 2 * margin, group);
      }
      shape = L.polyline(line, { color, weight: 2 });
    } else {
      const parts = geometry.type === "GeometryCollection" ? geometry.geometries : [geometry];
      const rings = parts.flatMap(({ type, coordinates }) => type === "MultiPolygon" ? coordinates : [coordinates])
        .map((polygon) => polygon.map(lineOf));
      shape = L.polygon(rings, style);
      if (margin > 0) {
        this.#addGrounded(
          L.polygon(rings, { color, opacity: 0.15, fill: false, interactive: false }), 2 * margin, group);
      }
    }
    shape.on("click", () => this.#onSelect("fence", feature)).addTo(group);
  }

  #addGrounded(layer, metres, group) {
    layer.addTo(group);
    this.#grounded.push({ layer, metres, group });
    this.#updateWidth({ layer, metres });
  }

  #updateWidths() { for (const entry of this.#grounded) this.#updateWidth(entry); }

  #updateWidth({ layer, metres }) {
    const { lat } = layer.getBounds().getCenter();
    layer.setStyle({ weight: Math.max(1, metres / metresPerPixel(lat, this.leaflet.getZoom())) });
  }

  // Grid and scale

  #addGrid() {
    const canvas = h("canvas", { class: "map-grid", "aria-hidden": "true" });
    this.gridCanvas = canvas;
    this.scale = h("div", { class: "map-scale" }, h("span", {}), h("i", {}));
    this.container.prepend(canvas);
    this.container.append(this.scale);
    let isPending = false;
    this.leaflet.on("move zoom resize viewreset", () => {
      if (isPending) return;
      isPending = true;
      requestAnimationFrame(() => {
        isPending = false;
        this.#drawGrid();
      });
    });
    this.#drawGrid();
  }

  #drawGrid() {
    const { x: width, y: height } = this.leaflet.getSize();
    const ratio = devicePixelRatio, canvas = this.gridCanvas, context = canvas.getContext("2d");
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const colors = this.#colors;
    context.strokeStyle = colors.grid;
    context.fillStyle = colors.faint;
    context.font = "11px system-ui, sans-serif";
    const seen = this.leaflet.getBounds();
    const x = (lng) => Math.round(this.leaflet.latLngToContainerPoint([0, lng]).x) + 0.5;
    const y = (lat) => Math.round(this.leaflet.latLngToContainerPoint([lat, 0]).y) + 0.5;
    const line = (...path) => {
      context.beginPath();
      context.moveTo(path[0], path[1]);
      context.lineTo(path[2], path[3]);
      context.stroke();
    };
    const columns = steps(seen.getWest(), seen.getEast(), width / 110);
    for (const lng of columns.values) line(x(lng), 0, x(lng), height);
    const rows = steps(Math.max(-85, seen.getSouth()), Math.min(85, seen.getNorth()), height / 110);
    for (const lat of rows.values) line(0, y(lat), width, y(lat));
    for (const lng of columns.values) {
      context.fillText(format.degrees(wrapped(lng), columns.digits), x(lng) + 3, 12);
    }
    for (const lat of rows.values) {
      // The scale stands in the corner below.
      if (y(lat) < height - 45) context.fillText(format.degrees(lat, rows.digits), 4, y(lat) - 3);
    }
    this.#drawScale(width);
  }

  #drawScale(width) {
    const perPixel = metresPerPixel(this.leaflet.getCenter().lat, this.leaflet.getZoom());
    const most = Math.min(140, width / 3) * perPixel;
    const magnitude = 10 ** Math.floor(Math.log10(most));
    const metres = [5, 2, 1].map((factor) => factor * magnitude).find((value) => value <= most) ?? magnitude;
    this.scale.querySelector("i").style.width = `${metres / perPixel}px`;
    setText(this.scale.querySelector("span"), format.length(metres));
  }
}

function point({ lat, lon }) { return [lat, lon]; }

function wrapped(longitude) { return ((longitude + 180) % 360 + 360) % 360 - 180; }

/** The ground that a pixel of Leaflet's projection (spherical Mercator) covers, in metres. */
function metresPerPixel(latitude, zoom) {
  return 40_075_016.686 * Math.cos(latitude * Math.PI / 180) / 2 ** (zoom + 8);
}

function bounds({ lat, lon }, metres) {
  const height = metres / 111_195, width = height / Math.max(0.01, Math.cos(lat * Math.PI / 180));
  return L.latLngBounds([lat - height, lon - width], [lat + height, lon + width]);
}

/** Round values in a span, about `count` of them, and the digits that tell them apart. */
function steps(from, to, count) {
  const rough = (to - from) / Math.max(1, count);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((value) => value >= rough);
  const values = [];
  for (let index = Math.ceil(from / step); index * step <= to && values.length < 100; index += 1) {
    values.push(index * step);
  }
  return { values, digits: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) };
}
