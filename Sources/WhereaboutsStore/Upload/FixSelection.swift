import Whereabouts
import WhereaboutsCore

/// Which fixes of a history are worth sending, by ``AcceptanceTerms``, so that one can stop after any fix and go on from
/// what was kept last.
///
/// What the terms judge by arrivals is judged by when a fix was taken: the answer is the same whenever it is asked.
struct FixSelection {
  /// What must be known to go on.
  struct Mark: Hashable, Codable {
    /// The last one that was kept.
    var kept: SeenFix
    /// When that was taken, and when the last one that was gone through, in nanoseconds since 1970.
    var keptAt: Int64
    var lastAt: Int64
  }

  private var gate: AcceptanceGate?
  private var held: [StoredFix] = []
  private var last: (kept: SeenFix, at: Instant)?
  private var lastInstant: Instant?
  /// The same before the first of those held came.
  private var instantBeforeHeld: Instant?

  /// - Parameters:
  ///   - terms: `nil` for every fix.
  ///   - mark: where to go on; `nil` at the beginning.
  init(_ terms: AcceptanceTerms?, after mark: Mark?) {
    gate = terms.map { AcceptanceGate($0) }
    guard let mark else { return }
    let keptAt = Instant(nanoseconds: mark.keptAt)
    last = (mark.kept, keptAt)
    lastInstant = Instant(nanoseconds: mark.lastAt)
    gate?.goOn(after: Self.timed(mark.kept, at: keptAt))
    // What was kept before the clock was set back says nothing any more, as when it was.
    if mark.lastAt < mark.keptAt { gate?.forget() }
  }

  /// Where to go on: before those held, or else after everything that was gone through.
  var mark: Mark? {
    guard let last else { return nil }
    let lastAt = (held.isEmpty ? lastInstant : instantBeforeHeld) ?? last.at
    return Mark(kept: last.kept, keptAt: last.at.nanoseconds, lastAt: lastAt.nanoseconds)
  }

  /// The first of those held, which must be gone through again next time; `nil` where none is.
  var firstHeld: StoredFix? { held.first }

  /// - Returns: those that are to be sent now, in their order.
  mutating func take(_ stored: StoredFix) -> [StoredFix] {
    guard gate != nil else { return [stored] }
    let now = Self.instant(of: stored)
    var kept: [StoredFix] = []
    if let lastInstant, now < lastInstant {
      // The clock of the fixes was set back: how far apart they are can't be told any more.
      if let last = gate?.keepBest(at: lastInstant) { kept += take(last) }
      gate?.forget()
      held = []
    } else if let last = gate?.takeDue(at: now) {
      kept += take(last)
    }
    if held.isEmpty { instantBeforeHeld = lastInstant }
    lastInstant = now
    held.append(stored)
    switch gate?.take(Self.timed(stored.fix, at: now), at: now) {
    case .kept(let accepted)?: kept += take(accepted)
    case .notKept(.held)?: break
    case .notKept?, nil:
      held.removeLast()
      // An accurate one drops those held even where it is not kept itself.
      if gate?.deadline == nil { held = [] }
    }
    return kept
  }

  /// The best of those held, where they have been held for long enough by the wall clock.
  mutating func takeDue(at wall: UTCTime) -> [StoredFix] {
    guard let accepted = gate?.takeDue(at: Instant(nanoseconds: wall.nanosecondsSince1970)) else { return [] }
    return take(accepted)
  }

  private mutating func take(_ accepted: AcceptedFix) -> [StoredFix] {
    defer { held = [] }
    guard let stored = held.last(where: { $0.fix.fix == accepted.fix }) else { return [] }
    last = (stored.fix, Self.instant(of: stored))
    return [stored]
  }

  private static func instant(of stored: StoredFix) -> Instant {
    Instant(nanoseconds: (stored.fix.seen ?? stored.fix.fix.time ?? stored.rowTime).nanosecondsSince1970)
  }

  private static func timed(_ seen: SeenFix, at now: Instant) -> TimedFix {
    TimedFix(fix: seen.fix, validAt: now)
  }
}
