// A track as lines to draw: stretches by speed, and gaps.

import { distance, unwrapped } from "./geo.js";

/** The classes of speed in m/s, the slow ones first, with the names of the colours. People run above 2.1 m/s. */
export const paces = [
  { name: "still", below: 0.5 },
  { name: "walking", below: 2.1 },
  { name: "running", below: 4 },
  { name: "cycling", below: 8 },
  { name: "driving", below: 50 },
  { name: "fast", below: Infinity },
];

/** The seconds without a fix from which there is a gap, as for the distance of a day. */
const gapDuration = 20;
/** Points closer to the last drawn one than this, in metres, are not drawn. */
const shortestStep = 2;
/** The sum of two accuracies, in metres, from which places within it say nothing about rest. */
const coarseError = 200;
/** The number of speeds of which the median counts, so that one odd speed changes no colour. */
const window = 5;

/** Returns the lines of some fixes in order of time. Beyond 180° their longitudes go on from that of the first fix.
 *
 * - `stretches`: of `{ pace, line }`, where a line has places;
 * - `gaps`: pairs of places that are joined by a time without fixes in which the device has moved;
 * - `points`: the fixes that were used, `drawn`: the places of the lines. */
export function trackOf(fixes) {
  // Fixes that the server did not use, such as impossible ones, are no part of the track.
  const used = unwrapped(fixes.filter(({ use }) => use == null || use === "late"));
  const speeds = smoothed(used.map((fix, index) => fix.speed ?? derivedSpeed(used[index - 1], fix)));
  const track = { stretches: [], gaps: [], points: used.length, drawn: 0 };
  let stretch = null, last = null;
  used.forEach((fix, index) => {
    const speed = speeds[index], pace = speed == null ? "unknown" : paces.find(({ below }) => speed < below).name;
    if (last && isGap(last, fix)) {
      track.gaps.push([last, fix]);
      close(track, stretch, last);
      stretch = null;
    }
    if (!stretch) {
      stretch = { pace, line: [fix] };
    } else if (stretch.pace !== pace) {
      // The new stretch begins where the old one ends.
      close(track, stretch, last);
      stretch = { pace, line: [last, fix] };
    } else if (distance(stretch.line.at(-1), fix) >= shortestStep) {
      stretch.line.push(fix);
    }
    last = fix;
  });
  close(track, stretch, last);
  return track;
}

function close(track, stretch, last) {
  if (!stretch) return;
  if (stretch.line.at(-1) !== last) stretch.line.push(last);
  track.drawn += stretch.line.length;
  track.stretches.push(stretch);
}

function isGap(a, b) {
  return seconds(a, b) > gapDuration && distance(a, b) > (a.hacc ?? 0) + (b.hacc ?? 0);
}

function derivedSpeed(a, b) {
  if (!a) return null;
  const duration = seconds(a, b), way = distance(a, b);
  // Within the accuracy there is no movement to speak of, and with a coarse one nothing to say.
  const error = (a.hacc ?? 0) + (b.hacc ?? 0);
  // Places on a coarse grid jump from cell to cell.
  if (error >= coarseError && (a.estimated || b.estimated)) return null;
  if (way <= error) return error > coarseError ? null : 0;
  return duration > 0 ? way / duration : null;
}

function seconds(a, b) { return (Date.parse(b.time) - Date.parse(a.time)) / 1000; }

function smoothed(speeds) {
  return speeds.map((_, index) => {
    const near = speeds.slice(Math.max(0, index - (window >> 1)), index + (window >> 1) + 1)
      .filter((speed) => speed != null).sort((a, b) => a - b);
    return near[near.length >> 1] ?? null;
  });
}
