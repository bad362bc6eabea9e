// The token of the person, and what it may do. The token is in this tab, or in this browser if the person wants that.

const key = "whereabouts.token";

/** The rights of the token: `scopes`, and `device` for a token of one device. `null` before they are known. */
let rights = null;

export const session = {
  get token() { return sessionStorage.getItem(key) ?? localStorage.getItem(key); },

  get rights() { return rights; },
  set rights(value) { rights = value; },

  get mayRead() { return may("read"); },
  get mayWrite() { return may("write"); },
  get mayAdministrate() { return may("admin"); },

  /** The name under which this phone's positions are sent: the token's device, or the name that the person gave. */
  get phoneName() { return rights?.device ?? localStorage.getItem("whereabouts.phone") ?? ""; },
  set phoneName(name) { localStorage.setItem("whereabouts.phone", name); },

  signIn(token, remember) {
    this.forget();
    (remember ? localStorage : sessionStorage).setItem(key, token);
  },

  forget() {
    sessionStorage.removeItem(key);
    localStorage.removeItem(key);
    localStorage.removeItem("whereabouts.rights");
    rights = null;
  },

  /** Rights survive a start without a connection. They grant nothing: the server checks each request. */
  storeRights(value) {
    rights = value;
    (localStorage.getItem(key) ? localStorage : sessionStorage)
      .setItem("whereabouts.rights", JSON.stringify(value));
  },

  restoreRights() {
    const text = sessionStorage.getItem("whereabouts.rights") ?? localStorage.getItem("whereabouts.rights");
    try {
      rights = text ? JSON.parse(text) : null;
    } catch {
      rights = null;
    }
    return rights;
  },
};

function may(scope) {
  const scopes = rights?.scopes ?? [];
  return scopes.includes(scope) || scopes.includes("admin");
}

/** Takes the token out of the address, where nobody should find it later. */
export function takeTokenFromAddress() {
  const match = /^#token=([A-Za-z0-9_]+)$/.exec(location.hash);
  if (!match) return null;
  history.replaceState(null, "", location.pathname);
  return match[1];
}
