// Drawing a fence, by pointer or by keyboard alone: the map moves under a cross, and corners are set at the cross.

import { button, fill, h, setText } from "./dom.js";
import * as format from "./format.js";
import { area, lineLength } from "./geo.js";
import { t } from "./strings.js";

const least = { area: 3, corridor: 2 };
let current = null;

/** One drawing; `result` is its geometry, or `null` if the person cancels. */
export class Sketch {
  result;
  #map;
  #toolbar;
  #kind;
  #corners = [];
  #finish;
  #status = h("p", { class: "sketch-status", role: "status" });
  #done;
  #undo;

  constructor(map, toolbar, kind) {
    current?.close(null);
    current = this;
    this.#map = map;
    this.#toolbar = toolbar;
    this.#kind = kind;
    this.result = new Promise((resolve) => { this.#finish = resolve; });
    this.#done = button(t("draw.done"), () => this.#complete(), { class: "primary" });
    this.#undo = button(t("draw.undo"), () => this.#removeCorner());
    fill(toolbar,
      h("p", { class: "hint" }, t(kind === "circle" ? "draw.helpCircle" : "draw.helpLine"),
        kind !== "circle" && h("span", { class: "keys" }, ` ${t("draw.keys")}`)), this.#status,
      h("div", { class: "row" },
        kind !== "circle" && button(t("draw.add"), () => this.#addCorner(this.#map.center)),
        kind !== "circle" && this.#undo, this.#done, button(t("app.cancel"), () => this.close(null))));
    toolbar.hidden = false;
    document.body.dataset.sketching = kind;
    map.container.classList.add("sketching");
    map.leaflet.on("click", this.#click);
    map.leaflet.doubleClickZoom.disable();
    map.container.addEventListener("keydown", this.#press);
    map.container.focus();
    addEventListener("hashchange", this.#leave);
    this.#update();
    // The cross stays on its place, although the tools take room: what comes later must not move the map under it either.
    map.resize({ keepsCenter: true });
    map.pin();
  }

  /** Ends the drawing. */
  close(geometry) {
    removeEventListener("hashchange", this.#leave);
    this.#map.leaflet.off("click", this.#click);
    this.#map.leaflet.doubleClickZoom.enable();
    this.#map.container.removeEventListener("keydown", this.#press);
    this.#map.container.classList.remove("sketching");
    this.#map.setPreview(null);
    this.#map.unpin();
    // A button that goes would take the focus with it.
    if (this.#toolbar.contains(document.activeElement)) this.#map.container.focus();
    this.#toolbar.hidden = true;
    delete document.body.dataset.sketching;
    current = null;
    this.#finish(geometry);
  }

  #click = ({ latlng }) => {
    const { lat, lng } = latlng.wrap();
    if (this.#kind === "circle") this.#map.leaflet.panTo(latlng, { animate: false });
    else this.#addCorner({ lat, lon: lng });
  };

  /** On a narrow screen the map is a view of its own, and who leaves it cancels the drawing. */
  #leave = () => {
    delete document.body.dataset.sketching;
    if (this.#map.container.clientWidth === 0) this.close(null);
    else document.body.dataset.sketching = this.#kind;
  };

  #press = (event) => {
    if (event.target !== this.#map.container) return;
    if (event.key === "Escape") this.close(null);
    else if (this.#kind === "circle" && event.key === "Enter") this.#complete();
    else if (event.key === "Enter") this.#addCorner(this.#map.center);
    else if (event.key === "Backspace") this.#removeCorner();
    else return;
    event.preventDefault();
  };

  #addCorner(place) {
    this.#corners.push(place);
    this.#update();
  }

  #removeCorner() {
    this.#corners.pop();
    this.#update();
  }

  #complete() {
    if (this.#kind === "circle") {
      const { lat, lon } = this.#map.center;
      return this.close({ type: "Point", coordinates: [lon, lat] });
    }
    if (this.#corners.length < least[this.#kind]) {
      return setText(this.#status, t("draw.needsMore", { least: least[this.#kind] }));
    }
    this.close(this.#geometry());
  }

  #geometry() {
    const line = this.#corners.map(({ lat, lon }) => [lon, lat]);
    return this.#kind === "area" ? { type: "Polygon", coordinates: [[...line, line[0]]] }
      : { type: "LineString", coordinates: line };
  }

  /** The corners so far as a fence: a spot, a line, or the shape. */
  #preview() {
    const corners = this.#corners.map(({ lat, lon }) => [lon, lat]);
    if (corners.length === 1) {
      return { geometry: { type: "Point", coordinates: corners[0] }, properties: { radius: 1 } };
    }
    if (corners.length === 2) {
      return { geometry: { type: "LineString", coordinates: corners }, properties: { width: 1 } };
    }
    return { geometry: this.#geometry(), properties: { width: 1 } };
  }

  #update() {
    this.#undo.disabled = this.#corners.length === 0;
    if (this.#kind === "circle") return;
    const count = this.#corners.length;
    const size = this.#kind === "corridor" ? count > 1 && format.length(lineLength(this.#corners))
      : count > 2 && format.area(area(this.#corners));
    setText(this.#status, [t("draw.corners", { count }), size].filter(Boolean).join(", "));
    this.#map.setPreview(count === 0 ? null : this.#preview());
  }
}
