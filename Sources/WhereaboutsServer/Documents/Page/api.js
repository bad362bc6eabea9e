// Requests to the server, with the token.

import { waitForRelease } from "./dom.js";
import { session } from "./session.js";

/** An answer of the server that is no success. */
export class ApiError extends Error {
  constructor(status, detail, problems = []) {
    super(detail);
    this.status = status;
    this.problems = problems;
  }
}

/** No answer: there is no connection, or the server does not run. It has no message: that of the browser is no text for
 * people, and in no language of theirs. */
export class OfflineError extends Error {}

/** Sent when the server does not take the token any more. */
export const events = new EventTarget();

/** The time by which the browser's clock is ahead of the server's, in milliseconds; 0 where no answer shows an error. */
export const clock = { ahead: 0 };

/** Compares the clocks. The server's time is that of some moment between sending and the answer, in whole seconds. */
function compareClocks(response, sent) {
  const time = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(time)) return;
  const least = sent - time - 1000, most = Date.now() - time;
  clock.ahead = least > 0 ? least : Math.min(0, most);
}

/** Sends a request. A failure is thrown after the press of a button: the views report it. */
export async function request(path, { method = "GET", body, headers = {}, signal } = {}) {
  let response;
  const sent = Date.now();
  try {
    response = await fetch(path, {
      method, body, signal, cache: "no-store", credentials: "omit",
      headers: { Authorization: `Bearer ${session.token}`, ...headers },
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    await waitForRelease();
    throw new OfflineError("", { cause: error });
  }
  compareClocks(response, sent);
  if (response.ok) return response;
  let problem = {};
  try {
    problem = await response.json();
  } catch {
    // A proxy's answer has no problem details.
  }
  await waitForRelease();
  if (response.status === 401) events.dispatchEvent(new Event("unauthorized"));
  throw new ApiError(response.status, problem.detail ?? response.statusText, problem.problems);
}

/** Returns the JSON of an answer, after the press of a button: the views change with it. One that breaks off is a lost
 * connection. */
async function contentOf(response) {
  try {
    const content = await response.json();
    await waitForRelease();
    return content;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new OfflineError("", { cause: error });
  }
}

/** Requests JSON. With `patience`, no answer within this time in milliseconds is no connection. */
async function json(path, { patience, ...options } = {}) {
  if (patience == null) return contentOf(await request(path, options));
  const abort = new AbortController(), timer = setTimeout(() => abort.abort(new OfflineError()), patience);
  try {
    return await contentOf(await request(path, { ...options, signal: abort.signal }));
  } finally {
    clearTimeout(timer);
  }
}

/** The time in milliseconds that an answer of a usual network takes at most. */
const usualPatience = 40_000;

const device = (name) => `/api/v1/devices/${encodeURIComponent(name)}`;

export const api = {
  rights: (patience = usualPatience) => json("/api/v1/token", { patience }),
  devices: async () => (await json("/api/v1/devices")).devices,
  /** The last fix of a device; `null` if there is none. */
  async lastFix(name) {
    try {
      return await json(`${device(name)}/fix`);
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  },
  /** The next fix of at least an accuracy; `null` if none came in time. */
  async awaitFix(name, accuracy, timeout, signal) {
    try {
      return await json(`${device(name)}/fix?accuracy=${accuracy}&timeout=${timeout}`, { signal });
    } catch (error) {
      if (error.status === 504 || error.status === 404) return null;
      throw error;
    }
  },
  /** The fixes of a span, at most `most`, and whether there are more. `onProgress` gets the number so far. With the id of
   * a `reader` the fixes as that reader gets them, with the number of those that are `coarse` and `withheld`. */
  async fixes(name, from, to, most, { signal, reader, onProgress = () => {} } = {}) {
    const path = `${device(name)}/${reader == null ? "" : `readers/${reader}/`}fixes`;
    const fixes = [];
    let cursor = null, coarse = 0, withheld = 0;
    do {
      const query = new URLSearchParams({ limit: Math.min(10_000, most - fixes.length) });
      if (from) query.set("from", from);
      if (to) query.set("to", to);
      if (cursor) query.set("cursor", cursor);
      const page = await json(`${path}?${query}`, { signal });
      fixes.push(...page.fixes);
      coarse += page.coarse ?? 0;
      withheld += page.withheld ?? 0;
      cursor = page.next ?? null;
      onProgress(fixes.length);
    } while (cursor && fixes.length < most);
    return { fixes, hasMore: cursor != null, coarse, withheld };
  },
  newestCrossings: (name, count) => json(`${device(name)}/crossings?newest=${count}`),
  crossingsAfter: (name, number, limit) => json(`${device(name)}/crossings?after=${number}&limit=${limit}`),
  alerts: (limit) => json(`/api/v1/alerts?limit=${limit}`),
  /** The events that fences would have had in the last week. */
  trial: (name, features) => json(`${device(name)}/trial`, {
    method: "POST", body: JSON.stringify({ type: "FeatureCollection", features }),
    headers: { "Content-Type": "application/geo+json" },
  }),
  /** The explanation of a fence at a moment. */
  why: (name, fence, at) => json(`${device(name)}/why?${new URLSearchParams({ fence, at })}`),
  /** The tiles of the map, if there are any. */
  map: () => json("/api/v1/map"),
  /** Days as visits, journeys and gaps, in a time zone: those of a range with `from` and `to`, or the last seven. */
  async days(name, zone, range = {}) {
    return (await json(`${device(name)}/days?${new URLSearchParams({ ...range, zone })}`)).days;
  },
  /** Names the place of a visit. */
  namePlace: (name, visit, placeName, signal) => json(`${device(name)}/visits/${encodeURIComponent(visit)}/place`, {
    method: "PUT", body: JSON.stringify({ name: placeName }), headers: { "Content-Type": "application/json" }, signal,
  }),
  /** The links that show a device and have not ended. */
  links: async (name) => (await json(`${device(name)}/links`)).links,
  createLink: (name, terms) => json(`${device(name)}/links`, {
    method: "POST", body: JSON.stringify(terms), headers: { "Content-Type": "application/json" },
  }),
  looks: async (name) => (await json(`${device(name)}/looks?limit=20`)).looks,
  /** The figures of the journey of a link, for its holder. */
  journey: (name) => json(`${device(name)}/journey`),
  endLink: (name, id) => request(`${device(name)}/links/${id}`, { method: "DELETE" }),
  /** The tokens and links that may read a device. */
  readers: async (name) => (await json(`${device(name)}/readers`)).readers,
  async trips(name) {
    const trips = [];
    let cursor = null;
    do {
      const page = await json(`${device(name)}/trips${cursor ? `?${new URLSearchParams({ cursor })}` : ""}`);
      trips.push(...page.trips);
      cursor = page.next ?? null;
    } while (cursor);
    return trips;
  },
  /** All fences with their version. */
  async fences() {
    const response = await request("/api/v1/fences");
    return { features: (await contentOf(response)).features, tag: response.headers.get("ETag") };
  },
  /** Adds or replaces fences, unless somebody else has changed them since `tag`. Points without a radius get `radius`;
   * without it, they are refused with all others. */
  async setFences(body, tag, { radius, signal } = {}) {
    const response = await request(`/api/v1/fences${radius == null ? "" : `?radius=${radius}`}`, {
      method: "POST", body, signal, headers: { "Content-Type": "application/geo+json", ...(tag && { "If-Match": tag }) },
    });
    return contentOf(response);
  },
  removeFence: (id, tag) => request(`/api/v1/fences/${encodeURIComponent(id)}`, {
    method: "DELETE", headers: tag ? { "If-Match": tag } : {},
  }),
  /** Sends lines of JSON as fixes; the answer has the number of those that were `rejected`. */
  ingest: (lines) => json("/ingest", {
    method: "POST", body: lines.join("\n"), headers: { "Content-Type": "application/x-ndjson" }, patience: usualPatience,
  }),
};
