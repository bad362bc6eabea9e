// Elements are made here alone. Text only ever becomes a text node, so that no name can be markup.

/** Creates an element. Members of `attributes`: `on` has listeners, `data` data attributes, the rest are attributes;
 * `true` means an empty attribute, `false` and `null` none. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    } else if (name === "data") {
      Object.assign(element.dataset, value);
    } else if (["value", "checked", "disabled", "selected"].includes(name)) {
      element[name] = value;
    } else if (value !== false && value != null) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

const namespace = "http://www.w3.org/2000/svg";
/** Lines in a square of 24 units. */
const icons = {
  now: "M12 2v4M12 18v4M2 12h4M18 12h4M12 6a6 6 0 1 0 0 12a6 6 0 1 0 0-12M12 11v2",
  map: "M3 6l6-3 6 3 6-3v15l-6 3-6-3-6 3zM9 3v15M15 6v15",
  fences: "M12 2.5l8.5 5v9l-8.5 5-8.5-5v-9z",
  record: "M4 6h2M9 6h11M4 12h2M9 12h11M4 18h2M9 18h11",
  settings: "M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5M8 14.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5",
  zoomIn: "M12 5v14M5 12h14",
  zoomOut: "M5 12h14",
  fit: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
};

/** Creates a picture that a text beside it, or a label, explains. */
export function icon(name) {
  const svg = document.createElementNS(namespace, "svg"), path = document.createElementNS(namespace, "path");
  for (const [key, value] of [["viewBox", "0 0 24 24"], ["class", "icon"], ["aria-hidden", "true"]]) {
    svg.setAttribute(key, value);
  }
  path.setAttribute("d", icons[name]);
  svg.append(path);
  return svg;
}

/** Replaces the content of an element. Where the focus was in it, its successor has the focus. */
export function fill(element, ...children) {
  const focused = document.activeElement;
  const find = focused !== element && element.contains(focused) ? successorOf(focused, element) : null;
  element.textContent = "";
  append(element, children);
  find?.()?.focus({ preventScroll: true });
  return element;
}

/** Replaces the options of a choice, only if they differ: the person may have it open. */
export function fillOptions(select, ...options) {
  const wanted = h("select", {}, options);
  if (wanted.innerHTML !== select.innerHTML) fill(select, [...wanted.childNodes]);
}

/** Returns a function that finds the element in the place of one that is removed: that of the same name, else of the same
 * position. Of elements of one name the position from the end counts, since lists grow at their beginning. */
function successorOf(element, container) {
  const all = () => [...container.querySelectorAll(element.tagName)];
  const nameOf = (other) => other.getAttribute("aria-label") ?? other.textContent;
  const name = nameOf(element), named = () => all().filter((other) => nameOf(other) === name);
  const index = all().indexOf(element), fromEnd = named().indexOf(element) - named().length;
  return () => named().at(fromEnd) ?? named()[0] ?? all()[Math.min(index, all().length - 1)]
    ?? container.closest("section:has(h1), dialog")?.querySelector("h1, h2");
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child != null && child !== false) element.append(child instanceof Node ? child : String(child));
  }
}

/** Sets the text of an element if it differs, so that a screen reader hears changes only. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let lastID = 0;

/** Returns an id that no other element has. */
export function newID(prefix) {
  lastID += 1;
  return `${prefix}-${lastID}`;
}

/** Creates a labelled form field with an optional hint below. */
export function field(label, input, hint) {
  if (!input.id) input.id = newID("field");
  const parts = [h("label", { for: input.id }, label), input];
  if (hint) {
    const id = newID("hint");
    input.setAttribute("aria-describedby", id);
    parts.push(h("p", { class: "hint", id }, hint));
  }
  return h("div", { class: "field" }, parts);
}

/** Creates a button that submits nothing. */
export function button(label, onClick, attributes = {}) {
  return h("button", { type: "button", on: { click: onClick }, ...attributes }, label);
}

/** Moves the focus to an element that is no control, so that the keyboard and a screen reader go on there. */
export function focusOn(element) {
  element.tabIndex = -1;
  element.focus();
}

/** Disables a button while an action goes on, and returns a function that enables it again: with the focus, which a browser
 * takes from it. */
export function disable(button) {
  const isFocused = document.activeElement === button;
  button.disabled = true;
  return () => {
    button.disabled = false;
    if (isFocused && document.activeElement === document.body) button.focus();
  };
}

/** The time in milliseconds after the release of a button within which its click comes, if there is one. */
const clickDelay = 50;
/** The end of the present or last press of a button. */
let pressEnd = null, endPress = () => {};

addEventListener("pointerdown", ({ target }) => {
  if (!target.closest?.("a, button, summary")) return;
  endPress();
  pressEnd = new Promise((resolve) => { endPress = resolve; });
}, true);
addEventListener("click", () => endPress());
const processRelease = () => setTimeout(endPress, clickDelay);
for (const name of ["pointerup", "pointercancel", "contextmenu"]) addEventListener(name, processRelease, true);
// Of the window alone: a press takes the focus from an element.
addEventListener("blur", processRelease);

/** Waits while a button is pressed. One that is moved or replaced between the press and the release gets no click. */
export async function waitForRelease() {
  for (let awaited = null; awaited !== pressEnd;) await (awaited = pressEnd);
}

/** Marks the entry of the history that the page was opened with. The browser's back button would leave the page from it. */
export function markFirstEntry() { if (history.state == null) history.replaceState({ isFirst: true }, ""); }

/** Opens a dialog, and returns a promise of the value that it was closed with. `build` gets a function that closes it.
 *
 * The browser's back button closes the dialog without a value, and the view under it stays.
 *
 * @param onCancel is called before the Escape key or the back button closes the dialog. */
export function openDialog(title, build, { onCancel = () => {} } = {}) {
  return new Promise((resolve) => {
    const id = newID("dialog");
    const dialog = h("dialog", { "aria-labelledby": id, on: { cancel: onCancel } });
    let result;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    const opened = location.hash, opener = document.activeElement, section = opener?.closest("main > section");
    // The element that opened the dialog may have been replaced meanwhile.
    const findOpener = section && successorOf(opener, section);
    // An entry of its own, which the back button can leave.
    if (history.state?.isFirst) history.pushState({}, "");
    // Of two dialogs the upper one closes.
    const isUpper = () => dialog.open && document.querySelector("body > dialog:last-of-type") === dialog;
    const giveUp = () => {
      onCancel();
      dialog.close();
    };
    const goBack = () => {
      // The event of an address from before the dialog comes late.
      if (!isUpper() || location.hash === opened) return;
      location.hash = opened;
      giveUp();
    };
    const returnToFirst = () => { if (isUpper() && location.hash === opened && history.state?.isFirst) giveUp(); };
    addEventListener("hashchange", goBack);
    addEventListener("popstate", returnToFirst);
    dialog.addEventListener("close", () => {
      removeEventListener("hashchange", goBack);
      removeEventListener("popstate", returnToFirst);
      dialog.remove();
      if (document.activeElement === document.body) {
        (findOpener?.() ?? document.querySelector("main > section:not([hidden]) h1"))?.focus();
      }
      resolve(result);
    });
    append(dialog, [h("h2", { id }, title), build(close)]);
    document.body.append(dialog);
    dialog.showModal();
    // As the dialog opens, the title does not take the focus.
    dialog.querySelector("h2").tabIndex = -1;
  });
}

/** Asks a question with two answers. */
export function confirm(title, text, yes, no) {
  return openDialog(title, (close) => [
    h("p", {}, text),
    h("div", { class: "row" },
      button(yes, () => close(true), { class: "danger" }),
      button(no, () => close(false), { autofocus: true })),
  ]);
}
