// The texts for changes of the fences that failed.

import { ApiError, OfflineError } from "./api.js";
import { t } from "./strings.js";

/** The labels of the form's fields, by the members of a fence that they write. */
const labels = {
  name: "fences.name", radius: "fences.radius", width: "fences.width", dwell: "terms.stay", activeHours: "terms.hours",
  enterConfidence: "terms.confidence", exitConfidence: "terms.confidence", hysteresisMargin: "terms.margin",
};

export function isConflict(error) { return error instanceof ApiError && error.status === 412; }

/** Whether a file was refused because of a point without a radius. */
export function lacksRadius(error) {
  return (error.problems ?? []).some((problem) => problem.includes("a point without radius"));
}

/** The reason for the person who has changed fences by a file. */
export function failureText(error) {
  if (error instanceof OfflineError) return t("app.failed", { reason: t("app.offlineReason") });
  if (isConflict(error)) return t("fences.conflict");
  const rows = (error.problems ?? []).slice(0, 3).join("; ");
  return t("app.failed", { reason: `${error.message} ${rows}`.trim() });
}

/** The reason for the person who has filled in the form of one fence: by the field, and without a place in a file. */
export function formFailureText(error) {
  if (!error.problems?.length) return failureText(error);
  const reason = error.problems[0].replace(/^line \d+, column \d+: /, "").replace(/^fence "[^]*?": /, "");
  const [member, rest] = [reason.split(" ", 1)[0], reason.slice(reason.indexOf(" ") + 1)];
  if (!Object.hasOwn(labels, member)) return t("app.failed", { reason });
  return t("fences.refused", { field: t(labels[member]), reason: rest });
}
