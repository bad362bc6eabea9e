import Whereabouts
import WhereaboutsCore

/// Which fixes of a history are worth sending, by ``AcceptanceTerms``, so that one can stop after any fix and go on from
/// what was kept last.
///
/// What the terms judge by arrivals is judged by when a fix was taken: the answer is the same whenever it is asked.
struct FixSelection {
  private var gate: AcceptanceGate?
  private let terms: AcceptanceTerms?
  private var held: [StoredFix] = []
  private var lastInstant: Instant?
  /// The last one that was kept.
  private(set) var lastKept: SeenFix?

  /// - Parameters:
  ///   - terms: `nil` for every fix.
  ///   - last: the last one that was kept before.
  init(_ terms: AcceptanceTerms?, after last: SeenFix?) {
    self.terms = terms
    lastKept = last
    gate = terms.map { AcceptanceGate($0) }
    if let last { gate?.goOn(after: Self.timed(last, at: Self.instant(of: last, else: nil))) }
  }

  /// The first of those held, which must be gone through again next time; `nil` where none is.
  var firstHeld: StoredFix? { held.first }

  /// - Returns: those that are to be sent now, in their order.
  mutating func take(_ stored: StoredFix) -> [StoredFix] {
    guard gate != nil else {
      lastKept = stored.fix
      return [stored]
    }
    let now = Self.instant(of: stored.fix, else: stored.rowTime)
    var kept: [StoredFix] = []
    if let lastInstant, now < lastInstant {
      // The clock of the fixes was set back: how far apart they are can't be told any more.
      if let last = gate?.keepBest(at: lastInstant) { kept += take(last) }
      gate?.forget()
      held = []
    } else if let last = gate?.takeDue(at: now) {
      kept += take(last)
    }
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
    lastKept = stored.fix
    return [stored]
  }

  private static func instant(of seen: SeenFix, else rowTime: UTCTime?) -> Instant {
    Instant(nanoseconds: (seen.seen ?? seen.fix.time ?? rowTime)?.nanosecondsSince1970 ?? 0)
  }

  private static func timed(_ seen: SeenFix, at now: Instant) -> TimedFix {
    TimedFix(fix: seen.fix, validAt: now)
  }
}
