// The view of the fences: their list, a fence around here, and files.

import { api, OfflineError } from "./api.js";
import { button, confirm, disable, field, fill, h, newID, openDialog, setText } from "./dom.js";
import { download } from "./export.js";
import * as format from "./format.js";
import { choice, choices, recorded } from "./recorded.js";
import { failureText, formFailureText, isConflict, lacksRadius } from "./refusals.js";
import { session } from "./session.js";
import { state } from "./state.js";
import { t } from "./strings.js";
import { termFields, termsInWords } from "./terms.js";
import { fenceName, shape } from "./texts.js";
import { trialOf } from "./trial.js";
import { draw, previewOnMap, showOnMap } from "./view-map.js";
import { openWhy, ownsDevice } from "./why.js";

const shownFences = 50;

let notice = null;
/** The number of presses of *Fence here*. */
let formsHere = 0;

/** Reports to the person the change, or why it failed. A problem is scrolled into view, as is what `isFar` from its button. */
function report(text, { isProblem = false, isFar = isProblem } = {}) {
  if (!notice) return;
  notice.classList.toggle("bad", isProblem);
  setText(notice, text);
  if (isFar) notice.scrollIntoView({ block: "center" });
}

/** Performs a change and reports its result. */
async function perform(change, done, options) {
  // The same text twice is announced twice.
  report("");
  try {
    report(done(await change()), options);
  } catch (error) {
    report(failureText(error), { isProblem: true });
  }
}

export function fencesView() {
  notice = h("p", { class: "notice", role: "status" });
  const list = h("ul", { class: "list" });
  const empty = h("p", { class: "hint", role: "status" });
  const more = h("p", { class: "hint" });
  const filter = h("input", { type: "search", autocomplete: "off", on: { input: update } });
  const filterField = field(t("fences.filter"), filter);
  const file = h("input", {
    type: "file", accept: ".geojson,.json,.kml,.gpx,application/geo+json", hidden: true,
    on: { change: importFile },
  });
  const edits = h("div", { class: "row" },
    button(t("fences.here"), () => editFenceHere(), { class: "primary" }),
    button(t("fences.draw"), startDrawing));
  const imports = button(t("fences.import"), () => file.click(), { "aria-describedby": "import-hint" });
  const exports = button(t("fences.export"), exportFile);
  const files = h("div", { class: "files" },
    h("div", { class: "row" }, imports, exports), file,
    h("p", { class: "hint", id: "import-hint" }, t("fences.importHint")));
  const readOnly = h("p", { class: "hint" }, t("fences.readOnly"));
  const element = h("section", { id: "fences", "aria-labelledby": "fences-title" },
    h("h1", { id: "fences-title", tabindex: -1 }, t("fences.title")),
    edits, readOnly, notice, filterField, empty, list, more, files);

  function update() {
    const mayEdit = session.mayAdministrate;
    edits.hidden = !mayEdit;
    imports.hidden = files.querySelector(".hint").hidden = !mayEdit;
    readOnly.hidden = mayEdit;
    // A file without the fences that are not read yet would look like a whole one.
    exports.hidden = !state.hasFences;
    const wanted = filter.value.trim().toLocaleLowerCase();
    const all = state.fences.features;
    const found = all.filter((feature) => fenceName(feature).toLocaleLowerCase().includes(wanted));
    // A field that hides fences can be emptied.
    filterField.hidden = all.length <= 10 && wanted === "";
    const isKnown = !session.mayRead || state.hasFences;
    setText(empty, found.length > 0 || !isKnown ? ""
      : t(!session.mayRead ? "app.mayNotRead" : all.length > 0 ? "fences.noneFound" : "fences.none"));
    const hidden = Math.max(0, found.length - shownFences);
    setText(more, hidden > 0 ? t("fences.more", { count: hidden }) : "");
    fill(list, found.slice(0, shownFences).map(item));
  }

  function item(feature) {
    const name = fenceName(feature);
    return h("li", {},
      h("div", { class: "item-text" },
        h("strong", { class: "name", dir: "auto" }, name), h("span", { class: "detail" }, shape(feature)),
        h("span", { class: "detail", dir: "auto" }, [recorded(feature.properties), ...termsInWords(feature.properties)].join(" · "))),
      h("div", { class: "item-actions" },
        ownsDevice() && button(t("why.ask"), () => openWhy(String(feature.id), name), {
          "aria-label": t("why.title", { name }), class: "plain",
        }),
        button(t("fences.show"), () => showOnMap({ fence: feature }), {
          "aria-label": t("fences.showNamed", { name }), class: "plain",
        }),
        session.mayAdministrate && button(t("fences.edit"), () => editFence(feature), {
          "aria-label": t("fences.editNamed", { name }), class: "plain",
        })));
  }

  async function importFile() {
    const chosen = file.files[0];
    if (!chosen) return;
    await perform(async () => {
      const text = await chosen.text();
      // XML states its own encoding. The mark of UTF-16 is not read by every browser.
      const body = /^[\s\uFFFD]*</.test(text) ? await chosen.arrayBuffer() : text;
      const send = (radius) => state.changeFences(() => api.setFences(body, state.fences.tag, { radius }));
      try {
        return await send();
      } catch (error) {
        if (!lacksRadius(error)) throw error;
        const radius = await askRadius();
        return radius == null ? null : send(radius);
      }
    }, importText, { isFar: true });
    file.value = "";
  }

  for (const part of ["fences", "source"]) state.addEventListener(part, update);
  update();
  return { element };
}

function exportFile() {
  download("fences.geojson", "application/geo+json",
    JSON.stringify({ type: "FeatureCollection", features: state.fences.features }, null, 1));
}

// The form of a fence

/** A slider with a number field: the slider for the usual sizes, the field for all. */
function sizeField(label, value, greatest, onChange) {
  const slider = h("input", { type: "range", min: 10, max: 500, step: 5, value: Math.min(value, 500) });
  // A file or another program may have chosen a smaller size.
  const number = h("input", {
    type: "number", min: Math.min(1, value), max: greatest, step: "any", value, inputmode: "decimal", required: true,
    "aria-label": `${label}, ${t("fences.metres")}`,
  });
  slider.addEventListener("input", () => {
    number.value = slider.value;
    onChange(Number(slider.value));
  });
  number.addEventListener("input", () => {
    if (!number.checkValidity() || number.value === "") return;
    slider.value = Math.min(500, Number(number.value));
    onChange(Number(number.value));
  });
  const element = field(label, slider);
  element.append(h("span", { class: "number" }, number, " m"));
  return { element, number };
}

/** The result of an import in words; there is none if the person has cancelled it. */
function importText(summary) {
  if (!summary) return t("fences.importCancelled");
  const { added, replaced, unchanged } = summary;
  return added + replaced + unchanged === 0 ? t("fences.importEmpty") : t("fences.imported", summary);
}

/** Asks for the radius of a file's points without one; returns nothing if the person cancels. */
function askRadius() {
  return openDialog(t("fences.import"), (close) => {
    const { element, number } = sizeField(t("fences.radius"), 100, 1e7, () => {});
    const submit = (event) => {
      event.preventDefault();
      close(Number(number.value));
    };
    return h("form", { on: { submit } },
      h("p", {}, t("fences.importRadius")), element,
      h("div", { class: "row" },
        h("button", { type: "submit", class: "primary" }, t("fences.import")),
        button(t("app.cancel"), () => close())));
  });
}

/** Returns the fence as JSON as the server last sent it; nothing for one that the server does not have. */
function known(feature) { return JSON.stringify(state.fence(String(feature.id))); }

/** Whether the server has a fence with the shape and the properties of this one. */
function isStored({ id, geometry, properties }) {
  const stored = state.fence(String(id)), isEqual = (a, b) => JSON.stringify(a) === JSON.stringify(b);
  return stored != null && isEqual(stored.geometry.coordinates, geometry.coordinates)
    && Object.entries(properties).every(([name, value]) => isEqual(stored.properties[name], value));
}

/** Shows the form of a fence until it is saved; returns "remove", "draw", or nothing.
 *
 * @param notes texts that are shown above the form, made for the present radius.
 * @param before the fence as it was `known` when the person began to edit it. */
function editFeature(title, feature, { notes = () => [], removable = false, before = known(feature) } = {}) {
  const properties = { ...feature.properties };
  const size = feature.geometry.type === "Point" ? "radius"
    : feature.geometry.type === "LineString" ? "width" : null;
  const preview = () => previewOnMap({ ...feature, properties });
  const abort = new AbortController();
  // The messages before belong to another form.
  report("");
  return openDialog(title, (close) => {
    const name = h("input", { value: fenceName(feature), maxlength: 200, autocomplete: "off", required: true });
    const noteList = h("div", { class: "notes" });
    const showNotes = () => fill(noteList, notes(properties).map((note) => h("p", { class: "hint" }, note)));
    const sizes = size && sizeField(
      t(`fences.${size}`), Math.round(properties[size] * 10) / 10, size === "radius" ? 1e7 : 2e6, (value) => {
        properties[size] = value;
        preview();
        showNotes();
      });
    const present = choice(properties);
    const select = h("select", {}, [...Object.keys(choices), "other"]
      .filter((key) => key !== "other" || present === "other")
      .map((key) => h("option", { value: key, selected: key === present }, key === "other" ? recorded(properties) : t(`fences.recorded.${key}`))));
    const fields = termFields(properties);
    const edited = () => {
      const changed = { ...properties, name: name.value.trim() };
      if (select.value !== present || feature.id == null) Object.assign(changed, choices[select.value]);
      return { ...feature, properties: fields.write(changed) };
    };
    const problem = h("p", { class: "problem", role: "alert" });
    const submit = h("button", { type: "submit", class: "primary" }, t("app.save"));
    const refuse = (text) => {
      setText(problem, text);
      problem.scrollIntoView({ block: "nearest" });
    };
    // Somebody has changed this very fence: to save would overwrite that.
    const isOvertaken = () => known(feature) !== before;
    const giveUp = () => {
      report(t("fences.conflict"), { isProblem: true });
      close();
    };
    // The form stays open with what was filled in until the server has taken it.
    const save = async (event) => {
      event.preventDefault();
      if (!event.currentTarget.reportValidity()) return;
      // The fences may have been read again since the form opened.
      if (isOvertaken()) return giveUp();
      const enable = disable(submit);
      setText(problem, "");
      const changed = edited(), { name } = changed.properties;
      const sent = changed.id == null ? { ...changed, id: idFor(name) } : changed;
      try {
        await state.setFences([sent], abort.signal);
      } catch (error) {
        // The form was closed. The fences are read again, since the server may have taken the change before.
        if (abort.signal.aborted) return;
        // The answer may have been lost after the server took the change.
        if (!isStored(sent)) {
          enable();
          if (isConflict(error) && isOvertaken()) return giveUp();
          return refuse(formFailureText(error));
        }
      }
      report(t("fences.saved", { name }));
      close();
    };
    // Every crossing counts in a trial, whatever of it is recorded.
    const tried = () => ({ ...edited(), id: "trial", properties: { ...edited().properties, ...choices.both } });
    showNotes();
    preview();
    return h("form", { on: { submit: save } },
      noteList, field(t("fences.name"), name), sizes?.element, field(t("fences.recorded"), select),
      fields.element,
      ownsDevice() && trialOf(tried), problem,
      h("div", { class: "row" }, submit,
        button(t("app.cancel"), () => close()),
        removable && drawnKind(feature) && button(t("fences.redraw"), () => close("draw")),
        removable && button(t("fences.remove"), () => close("remove"), { class: "danger last" })));
  }).finally(() => {
    abort.abort();
    previewOnMap(null);
  });
}

/** Makes an id from a name that no other fence has. The id is what the record keeps of a removed fence. */
function idFor(name) {
  const ids = new Set(state.fences.features.map(({ id }) => String(id)));
  let id = name;
  for (let number = 2; ids.has(id); number += 1) id = `${name} ${number}`;
  return id;
}

/** Makes a fence around the best present location. Without a location none is made. */
export async function editFenceHere() {
  location.hash = "#fences";
  const number = formsHere += 1;
  await state.loadFences();
  // Meanwhile the person may have pressed again, gone to another view, opened another form, or been signed out.
  if (number !== formsHere || location.hash !== "#fences" || document.querySelector("dialog[open]") || !session.token) return;
  const fix = state.location;
  if (!fix) return report(t("fences.hereNone"), { isProblem: true });
  const age = fix.time ? (state.now - fix.time) / 1000 : 0;
  const feature = {
    type: "Feature", geometry: { type: "Point", coordinates: [fix.lon, fix.lat] },
    properties: {
      name: t("fences.hereName", { time: format.minuteOfDay(new Date()) }), radius: 50, ...choices.onceExit,
    },
  };
  const notes = ({ radius }) => [
    `${t("fences.hereAt", { place: format.place(fix.lat, fix.lon, fix.hacc) })} (${format.accuracy(fix.hacc)})`,
    age > 60 && t("fences.hereOld", { duration: format.duration(age) }),
    fix.hacc > radius / 2 && t("fences.hereCoarse", { accuracy: format.accuracy(fix.hacc) }),
  ].filter(Boolean);
  await editFeature(t("fences.here"), feature, { notes });
}

/** The kind of drawing that a shape can be made by; nothing for several areas. */
function drawnKind({ geometry }) { return { Point: "circle", Polygon: "area", LineString: "corridor" }[geometry.type]; }

async function editFence(feature, before = known(feature)) {
  const name = fenceName(feature);
  const action = await editFeature(t("fences.editNamed", { name }), feature, { removable: true, before });
  if (action === "draw") {
    if (!await showOnMap({ fence: feature })) return;
    const geometry = await drawAndReturn(drawnKind(feature));
    if (geometry) await editFence({ ...feature, geometry }, before);
  } else if (action === "remove") {
    const sure = await confirm(
      t("fences.removeQuestion", { name }), t("fences.removeText"), t("fences.remove"), t("fences.keep"));
    if (!sure) return;
    if (known(feature) !== before) return report(t("fences.conflict"), { isProblem: true });
    await perform(
      () => state.changeFences(() => api.removeFence(String(feature.id), state.fences.tag)),
      () => t("fences.removed", { name }));
  }
}

/** Lets the person draw a shape and returns to the fences, but not from a view that the person has gone to meanwhile. */
async function drawAndReturn(kind) {
  let geometry = null, hasFailed = false;
  try {
    geometry = await draw(kind);
  } catch (error) {
    if (!(error instanceof OfflineError)) throw error;
    hasFailed = true;
  }
  if (geometry || geometry === null && location.hash === "#map") {
    location.hash = "#fences";
    // The view changes with the event of the new address. A screen reader reads what changes in view.
    if (hasFailed) await new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
  }
  if (hasFailed) report(t("draw.failed"), { isProblem: true });
  return geometry;
}

/** Asks for a kind of shape, lets the person draw it on the map, and asks for its name. */
async function startDrawing() {
  const kind = await openDialog(t("draw.title"), (close) => [
    h("div", { class: "choices" }, ["circle", "area", "corridor"].map((kind) => {
      const id = newID("hint");
      return button([h("strong", {}, t(`draw.${kind}`)), h("span", { id }, t(`draw.${kind}Hint`))],
        () => close(kind), { "aria-label": t(`draw.${kind}`), "aria-describedby": id });
    })),
    h("div", { class: "row" }, button(t("app.cancel"), () => close())),
  ]);
  if (!kind) return;
  const geometry = await drawAndReturn(kind);
  if (!geometry) return;
  const properties = { ...choices.both };
  if (kind === "circle") properties.radius = 50;
  if (kind === "corridor") properties.width = 50;
  await editFeature(t("draw.title"), { type: "Feature", geometry, properties });
}
