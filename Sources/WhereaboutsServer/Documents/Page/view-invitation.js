// The first view of a shared link: somebody shows a location, and the person chooses to see it.

import { api, OfflineError } from "./api.js";
import { disable, fill, h, setText } from "./dom.js";
import { session } from "./session.js";
import { t } from "./strings.js";
import { clearProblem, languageChoice, secondPressGuard } from "./view-signin.js";

/** Shows what the link is, and returns once the person wants to see it: whether the token is now the session's.
 *
 * A token that may do more than read is no shared link. It needs the form for signing in, so that no stranger's link makes
 * a phone send its positions. */
export function acceptInvitation(container, token) {
  return new Promise((resolve) => {
    const problem = h("p", { class: "problem", role: "alert" });
    const show = h("button", { type: "submit", class: "primary" }, t("invitation.show"));
    const ignoreSecondPress = secondPressGuard(show);
    fill(container, h("main", { class: "signin" },
      h("img", { src: "/page/icon.svg", alt: "", width: 64, height: 64 }),
      h("h1", {}, "Whereabouts"),
      h("form", { on: { submit: accept } }, h("p", {}, t("invitation.text")), problem, show),
      // The page is loaded again in the other language, and needs the link for that.
      languageChoice(() => history.replaceState(null, "", `#token=${token}`))));

    async function accept(event) {
      event.preventDefault();
      const enable = disable(show);
      clearProblem(problem);
      session.visit(token);
      try {
        const rights = await api.rights();
        const isLink = rights.scopes.every((scope) => scope === "read");
        if (isLink) session.storeRights(rights);
        else session.forget();
        ignoreSecondPress();
        resolve(isLink);
      } catch (error) {
        session.forget();
        enable();
        setText(problem, error instanceof OfflineError ? t("signin.offline")
          : error.status === 401 ? t("invitation.ended") : error.message);
      }
    }
  });
}
