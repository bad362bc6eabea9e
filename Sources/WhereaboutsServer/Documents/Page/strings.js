// The language of the page. Each language has one file, and each file the same keys.

import de from "./strings-de.js";
import en from "./strings-en.js";

const languages = { de, en };
const key = "whereabouts.language";

function preferred() {
  const chosen = localStorage.getItem(key);
  if (chosen in languages) return chosen;
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find((tag) => tag in languages) ?? "en";
}

export const language = preferred();

/** The tag for numbers and times: the person's own one for the language, such as en-GB. */
export const locale = navigator.languages.find((tag) => tag.slice(0, 2).toLowerCase() === language) ?? language;

const strings = languages[language];
const plurals = new Intl.PluralRules(language);

export const languageNames = { en: "English", de: "Deutsch" };

/** Returns a text, with the values of its places. With `count` the form for that number is taken, if there is one. */
export function t(name, values = {}) {
  const form = "count" in values ? strings[`${name}.${plurals.select(values.count)}`] : undefined;
  const text = form ?? strings[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (place, value) => (value in values ? String(values[value]) : place));
}

/** Changes the language and loads the page again. */
export function setLanguage(tag) {
  localStorage.setItem(key, tag);
  location.reload();
}
