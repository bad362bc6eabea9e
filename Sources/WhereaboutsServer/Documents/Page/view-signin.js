// Signing in with a token.

import { api, OfflineError } from "./api.js";
import { button, field, fill, h, setText } from "./dom.js";
import { session } from "./session.js";
import { language, languageNames, setLanguage, t } from "./strings.js";

/** Returns the buttons for the languages; `prepare` is called before the page is loaded again. */
export function languageChoice(prepare = () => {}) {
  return h("p", { class: "languages" }, Object.entries(languageNames).map(([tag, name]) => button(name, () => {
    prepare();
    setLanguage(tag);
  }, { lang: tag, class: "plain", "aria-pressed": String(tag === language) })));
}

/** Removes the text of a problem and keeps its room, so that a second press does not meet the buttons for the languages. */
export function clearProblem(problem) {
  // The height in whole pixels would move the buttons by a part of one.
  problem.style.minHeight = `${problem.getBoundingClientRect().height}px`;
  setText(problem, "");
}

/** The time in milliseconds within which people press a button twice. */
const repeatedPress = 500;

/** Returns a function that ignores a second press in the place of a button, once the button goes. The press was meant for
 * the button, not for the view after it. A press elsewhere shows that the person has seen the view. */
export function secondPressGuard(button) {
  let isPressed = false;
  // A press by the keyboard has no place.
  button.addEventListener("click", ({ detail }) => { isPressed = detail > 0; });
  return () => {
    if (!isPressed) return;
    const { left, right, top, bottom } = button.getBoundingClientRect(), kinds = ["mousedown", "click"];
    const ignore = (event) => {
      const { clientX: x, clientY: y } = event;
      if (x < left || x > right || y < top || y > bottom) return end();
      event.preventDefault();
      event.stopPropagation();
    };
    const end = () => { for (const kind of kinds) removeEventListener(kind, ignore, true); };
    for (const kind of kinds) addEventListener(kind, ignore, true);
    setTimeout(end, repeatedPress);
  };
}

/** Shows the form and returns once a token is accepted.
 *
 * @param token a token that came with an address; the person still has to agree.
 * @param message why the form is shown, if the person was signed in before. */
export function signIn(container, { token, message } = {}) {
  return new Promise((resolve) => {
    const input = h("input", {
      type: "password", name: "token", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
      required: true, value: token ?? "",
    });
    const remember = h("input", { type: "checkbox", id: "remember", "aria-describedby": "remember-hint" });
    const problem = h("p", { class: "problem", role: "alert" }, message ?? "");
    const submit = h("button", { type: "submit", class: "primary" }, t("signin.button"));
    const ignoreSecondPress = secondPressGuard(submit);
    const form = h("form", { novalidate: true, on: { submit: accept } },
      field(t("signin.token"), input),
      h("div", { class: "field check" }, remember, h("label", { for: "remember" }, t("signin.remember")),
        h("p", { class: "hint", id: "remember-hint" }, t("signin.rememberHint"))),
      problem, submit);
    fill(container, h("main", { class: "signin" },
      h("img", { src: "/page/icon.svg", alt: "", width: 64, height: 64 }),
      h("h1", {}, "Whereabouts"),
      h("p", {}, t("signin.intro")), form,
      languageChoice()));
    if (!token) input.focus();

    async function accept(event) {
      event.preventDefault();
      clearProblem(problem);
      const text = input.value.trim();
      if (!text) return refuse(t("signin.empty"));
      submit.disabled = true;
      session.signIn(text, remember.checked);
      try {
        session.storeRights(await api.rights());
        ignoreSecondPress();
        resolve();
      } catch (error) {
        session.forget();
        submit.disabled = false;
        refuse(error instanceof OfflineError ? t("signin.offline")
          : error.status === 401 ? t("signin.wrong") : error.message);
      }
    }

    function refuse(text) {
      setText(problem, text);
      input.setAttribute("aria-invalid", "true");
      input.focus();
    }
  });
}
