// Numbers, times and places as text in the person's language. Every number comes with its unit.

import { locale, t } from "./strings.js";

const cache = new Map();
function number(digits, style = {}) {
  const id = `${digits}${JSON.stringify(style)}`;
  if (!cache.has(id)) {
    cache.set(id, new Intl.NumberFormat(locale, { maximumFractionDigits: digits, ...style }));
  }
  return cache.get(id);
}

/** A length: metres below a kilometre. */
export function length(metres) {
  if (metres < 10) return `${number(1).format(metres)} m`;
  if (metres < 1000) return `${number(0).format(metres)} m`;
  return `${number(metres < 100_000 ? 1 : 0).format(metres / 1000)} km`;
}

/** A length with its standard deviation. */
export function lengthWithError(metres, error) {
  return error == null ? length(metres) : `${length(metres)} ± ${length(error)}`;
}

/** The radius of 68 %, or that it is not known. */
export function accuracy(metres) {
  return metres == null ? t("accuracy.unknown") : `± ${length(metres)}`;
}

/** An area. */
export function area(squareMetres) {
  return squareMetres < 100_000
    ? `${number(0).format(squareMetres)} m²`
    : `${number(2).format(squareMetres / 1e6)} km²`;
}

export function count(value) { return number(0).format(value); }

export function speed(metresPerSecond) { return `${number(0).format(metresPerSecond * 3.6)} km/h`; }

/** A probability. Nothing is certain, so no text says 100 %. */
export function percent(part) {
  const text = number(part > 0.99 ? 1 : 0, { style: "percent" }).format(Math.min(part, 0.999));
  return part > 0.999 ? `> ${text}` : text;
}

/** A measured duration in its two greatest units. The second one means nothing from ten minutes to an hour, and from two days
 * on. */
export function duration(seconds) {
  const whole = Math.round(seconds), minutes = Math.round(whole / 60);
  if (whole < 60) return t("duration.seconds", { seconds: whole });
  if (whole < 600) return exactDuration(whole);
  if (minutes < 60) return t("duration.minutes", { minutes });
  if (whole < 48 * 3600) {
    if (minutes % 60 === 0) return t("duration.wholeHours", { hours: minutes / 60 });
    return t("duration.hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  }
  return t("duration.days", { days: Math.round(whole / 86_400) });
}

/** A duration that somebody has chosen, not rounded: in all units that it has. */
export function exactDuration(seconds) {
  const milliseconds = Math.round(seconds * 1000), minutes = Math.floor(milliseconds / 60_000);
  const days = minutes < 48 * 60 ? 0 : Math.floor(minutes / 1440), hours = Math.floor(minutes / 60) - 24 * days;
  const rest = milliseconds % 60_000 / 1000;
  const parts = [
    days > 0 && t("duration.days", { days }), hours > 0 && t("duration.wholeHours", { hours }),
    minutes % 60 > 0 && t("duration.minutes", { minutes: minutes % 60 }),
    (rest > 0 || minutes === 0) && t("duration.seconds", { seconds: number(3).format(rest) }),
  ];
  return parts.filter(Boolean).join(" ");
}

/** An age, from a minute on in whole minutes: each second has another one. */
export function age(seconds) {
  const shown = seconds < 59.5 ? seconds : Math.round(seconds / 60) * 60;
  return seconds < 1 ? t("age.now") : t("age.ago", { duration: duration(shown) });
}

// Times are shown in one zone: the browser's, or the one that the person has chosen for the device.

const halfDay = 43_200_000;
const dayStyle = { weekday: "long", day: "numeric", month: "long", year: "numeric" };
const date = new Intl.DateTimeFormat(locale, { ...dayStyle, timeZone: "UTC" });
const minuteOfText = new Intl.DateTimeFormat(locale, { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });

function formatsIn(timeZone) {
  const two = "2-digit", shortDay = { timeZone, weekday: "short", day: "numeric", month: "short" };
  const moment = { ...shortDay, hour: two, minute: two };
  return {
    second: new Intl.DateTimeFormat(locale, { timeZone, hour: two, minute: two, second: two }),
    minute: new Intl.DateTimeFormat(locale, { timeZone, hour: two, minute: two }),
    moment: new Intl.DateTimeFormat(locale, moment),
    datedMoment: new Intl.DateTimeFormat(locale, { ...moment, year: "numeric" }),
    day: new Intl.DateTimeFormat(locale, { ...dayStyle, timeZone }),
    shortDay: new Intl.DateTimeFormat(locale, shortDay),
    datedShortDay: new Intl.DateTimeFormat(locale, { ...shortDay, year: "numeric" }),
    parts: new Intl.DateTimeFormat("en-GB", {
      timeZone, year: "numeric", month: two, day: two, hour: two, minute: two, second: two, hourCycle: "h23",
    }),
  };
}

let times = formatsIn();

export const browserZone = times.second.resolvedOptions().timeZone;

/** The name of the zone in which times are shown. */
export function timeZone() { return times.second.resolvedOptions().timeZone; }

/** Shows times in a zone from now on; an empty name stands for the browser's, as does one that it does not know. */
export function setTimeZone(name) {
  try {
    times = formatsIn(name || undefined);
  } catch {
    times = formatsIn();
  }
}

/** A time in the form that a field of a moment takes, as in `2024-05-14T17:04:00`. */
export function localText(moment) {
  const parts = Object.fromEntries(times.parts.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

/** The time of such a text. */
export function fromLocalText(text) {
  const wanted = Date.parse(`${text}Z`);
  let guess = wanted;
  // The first guess may lie on the other side of a change of the clocks.
  for (let round = 0; round < 2; round += 1) guess = wanted - (Date.parse(`${localText(new Date(guess))}Z`) - guess);
  return new Date(guess);
}

/** The time by which the clocks are ahead of UTC at a time, in milliseconds. */
function aheadOfUTC(time) { return Date.parse(`${localText(new Date(time))}Z`) - Math.floor(time / 1000) * 1000; }

/** The offset from UTC, as in ` UTC+02:00`, of a time that the clocks show twice, since they are set back; else nothing. */
function offsetOfRepeated(date) {
  const time = date.getTime(), before = aheadOfUTC(time - halfDay), after = aheadOfUTC(time + halfDay);
  if (after >= before) return "";
  const ahead = aheadOfUTC(time), other = ahead === before ? after : before;
  if (aheadOfUTC(time + ahead - other) !== other) return "";
  const minutes = Math.abs(ahead / 60_000), two = (value) => String(Math.floor(value)).padStart(2, "0");
  return ` UTC${ahead < 0 ? "−" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** The date of a time, as in `2024-05-14`. */
export function dateText(moment) { return localText(moment).slice(0, 10); }

/** A time of day with its uncertainty in seconds. The seconds are left out where they mean nothing, as are the minutes of an
 * uncertainty of hours. */
export function clock(date, uncertainty) {
  const offset = offsetOfRepeated(date);
  if (uncertainty == null) return times.second.format(date) + offset;
  const error = uncertainty < 60 ? `${number(uncertainty < 10 ? 1 : 0).format(uncertainty)} s`
    : uncertainty < 7200 ? `${number(0).format(uncertainty / 60)} min`
      : duration(Math.round(uncertainty / 3600) * 3600);
  return `${(uncertainty < 60 ? times.second : times.minute).format(date)}${offset} ± ${error}`;
}

export function minuteOfDay(date) { return times.minute.format(date) + offsetOfRepeated(date); }

/** The minute of a local time with its offset, as in `2024-05-14T17:04:00+09:00`, as that place's clock showed it. */
export function localMinute(text) { return minuteOfText.format(Date.parse(`${text.slice(0, 19)}Z`)); }

function isThisYear(date) { return dateText(date).slice(0, 4) === dateText(new Date()).slice(0, 4); }

/** A day and a time, with the year where it is not this one. */
export function moment(date) {
  return (isThisYear(date) ? times.moment : times.datedMoment).format(date) + offsetOfRepeated(date);
}

/** A time of day with its uncertainty in seconds, and with the day where it is not today. */
export function datedClock(date, uncertainty) {
  const text = clock(date, uncertainty);
  if (dateText(date) === dateText(new Date())) return text;
  return `${(isThisYear(date) ? times.shortDay : times.datedShortDay).format(date)}, ${text}`;
}

export function day(date) { return times.day.format(date); }

/** The name of a trip: the date that it is named by, or the name. */
export function tripName(name) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(name);
  return match ? date.format(Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]))) : name;
}

/** Degrees, with a number of digits. */
export function degrees(value, digits) { return `${number(digits, { minimumFractionDigits: digits }).format(value)}°`; }

/** A place in degrees, with as many digits as its accuracy supports. */
export function place(latitude, longitude, metres = 1) {
  const digits = Math.max(1, Math.min(6, 6 - Math.round(Math.log10(Math.max(1, metres)))));
  const format = number(digits, { minimumFractionDigits: digits });
  const part = (value, positive, negative) =>
    `${format.format(Math.abs(value))}°\u00a0${t(value < 0 ? negative : positive)}`;
  return `${part(latitude, "compass.north", "compass.south")}, ${part(longitude, "compass.east", "compass.west")}`;
}
