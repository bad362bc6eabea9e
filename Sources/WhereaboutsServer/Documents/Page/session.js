// The token of the person, and what it may do. The token is in this tab, or in this browser if the person wants that.

const key = "whereabouts.token", rightsKey = "whereabouts.rights", visitKey = "whereabouts.visit";

/** The rights of the token: `scopes`, and `device` for a token of one device. `null` before they are known. */
let rights = null;

export const session = {
  get token() { return sessionStorage.getItem(key) ?? localStorage.getItem(key); },

  /** Whether the token is, or was, that of all tabs of the browser. */
  get isShared() { return sessionStorage.getItem(key) == null && sessionStorage.getItem(visitKey) == null; },
  /** Whether a member of the storage is the token. */
  isKey: (name) => name === key,

  get rights() { return rights; },
  set rights(value) { rights = value; },

  get mayRead() { return may("read"); },
  get mayWrite() { return may("write"); },
  get mayAdministrate() { return may("admin"); },

  /** The name under which this phone's positions are sent: the token's device, or the name that the person gave. */
  get phoneName() { return rights?.device ?? localStorage.getItem("whereabouts.phone") ?? ""; },
  set phoneName(name) { localStorage.setItem("whereabouts.phone", name); },

  signIn(token, remember) {
    for (const storage of [sessionStorage, localStorage]) clear(storage);
    (remember ? localStorage : sessionStorage).setItem(key, token);
  },

  /** Uses the token of a link in this tab only. A token that the browser remembers stays. */
  visit(token) {
    clear(sessionStorage);
    sessionStorage.setItem(key, token);
    sessionStorage.setItem(visitKey, "open");
  },

  /** Removes the present token, which the server no longer takes. The tab remembers whether the token was a link's. */
  end() {
    const isLink = session.isVisit;
    session.forget();
    if (isLink) sessionStorage.setItem(visitKey, "ended");
  },

  /** Whether the token is that of a link. */
  get isVisit() { return sessionStorage.getItem(visitKey) === "open"; },

  /** Whether the last token of this tab was that of a link that has ended. */
  get hasLinkEnded() { return sessionStorage.getItem(visitKey) === "ended"; },

  /** Removes the present token, and with it what it may do. */
  forget() {
    clear(present());
    sessionStorage.removeItem(visitKey);
  },

  /** Rights survive a start without a connection. They grant nothing: the server checks each request. */
  storeRights(value) {
    rights = value;
    present().setItem(rightsKey, JSON.stringify(value));
  },

  restoreRights() {
    const text = present().getItem(rightsKey);
    try {
      rights = text ? JSON.parse(text) : null;
    } catch {
      rights = null;
    }
    return rights;
  },
};

/** The storage of the present token. */
function present() { return sessionStorage.getItem(key) ? sessionStorage : localStorage; }

function clear(storage) {
  storage.removeItem(key);
  storage.removeItem(rightsKey);
  storage.removeItem(visitKey);
  rights = null;
}

function may(scope) {
  const scopes = rights?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes("admin");
}

/** The token ends at any other character, such as a full stop after a link in a text. */
const pattern = /^#token=([A-Za-z0-9_]+)/;

/** Whether the fragment of an address is that of a link. */
export function hasToken(fragment) { return pattern.test(fragment); }

/** Returns the token of the address and removes it there, so that nobody finds it later. */
export function removeTokenFromAddress() {
  const match = pattern.exec(location.hash);
  if (!match) return null;
  history.replaceState(null, "", location.pathname);
  return match[1];
}
