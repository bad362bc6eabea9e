import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// A resumable selector of the fixes to send, by ``AcceptanceTerms``.
///
/// The terms judge each fix by its arrival time, so the result does not depend on the time of the call.
struct FixSelector {
  /// The state needed to resume.
  struct ResumePoint: Hashable, Codable {
    /// The last kept fix.
    var kept: LoggedFix
    /// The arrival times of the last kept and the last processed fix, in nanoseconds since 1970.
    var keptAt: Int64
    var lastAt: Int64
  }

  private var gate: AcceptanceGate?
  private var held: [StoredFix] = []
  private var last: (kept: LoggedFix, at: Instant)?
  private var lastInstant: Instant?
  /// The instant of the last fix before the first held one.
  private var instantBeforeHeld: Instant?

  /// - Parameters:
  ///   - terms: the terms; `nil` keeps every fix.
  ///   - mark: the point to resume at; `nil` at the beginning.
  init(_ terms: AcceptanceTerms?, after mark: ResumePoint?) {
    gate = terms.map { AcceptanceGate($0) }
    guard let mark else { return }
    let keptAt = Instant(nanoseconds: mark.keptAt)
    last = (mark.kept, keptAt)
    lastInstant = Instant(nanoseconds: mark.lastAt)
    gate?.resume(after: Self.timed(mark.kept, at: keptAt))
    // A fix kept before the clock was set back no longer counts, as in a live run.
    if mark.lastAt < mark.keptAt { gate?.reset() }
  }

  /// The point to resume at: before the held fixes, or else after all processed ones.
  var resumePoint: ResumePoint? {
    guard let last else { return nil }
    let lastAt = (held.isEmpty ? lastInstant : instantBeforeHeld) ?? last.at
    return ResumePoint(kept: last.kept, keptAt: last.at.nanoseconds, lastAt: lastAt.nanoseconds)
  }

  /// The first held fix, which the next run must read again; `nil` if none is held.
  var firstHeld: StoredFix? { held.first }

  /// - Returns: the fixes to send now, in order.
  mutating func process(_ stored: StoredFix) -> [StoredFix] {
    guard gate != nil else { return [stored] }
    let now = Self.instant(of: stored)
    var kept: [StoredFix] = []
    if let lastInstant, now < lastInstant {
      // The clock of the fixes was set back, so the time between the fixes is unknown.
      if let last = gate?.acceptBest(at: lastInstant) { kept += accept(last) }
      gate?.reset()
      held = []
    } else if let last = gate?.acceptDue(at: now) {
      kept += accept(last)
    }
    if held.isEmpty { instantBeforeHeld = lastInstant }
    lastInstant = now
    held.append(stored)
    switch gate?.process(Self.timed(stored.fix, at: now), at: now) {
    case .accepted(let accepted)?: kept += accept(accepted)
    case .notAccepted(.held)?: break
    case .notAccepted?, nil:
      held.removeLast()
      // An accurate fix discards the held ones even if not kept itself.
      if gate?.deadline == nil { held = [] }
    }
    return kept
  }

  /// Returns the best held fix, if held for long enough by the wall clock.
  mutating func releaseDue(at wall: UTCTime) -> [StoredFix] {
    guard let accepted = gate?.acceptDue(at: Instant(nanoseconds: wall.nanosecondsSince1970)) else {
      return []
    }
    return accept(accepted)
  }

  /// Returns the best held fix, however long it has been held.
  mutating func releaseBest() -> [StoredFix] {
    guard let lastInstant, let accepted = gate?.acceptBest(at: lastInstant) else { return [] }
    return accept(accepted)
  }

  private mutating func accept(_ accepted: AcceptedFix) -> [StoredFix] {
    defer { held = [] }
    guard let stored = held.last(where: { $0.fix.fix == accepted.fix }) else { return [] }
    last = (stored.fix, Self.instant(of: stored))
    return [stored]
  }

  private static func instant(of stored: StoredFix) -> Instant {
    Instant(nanoseconds: (stored.fix.seen ?? stored.fix.fix.time ?? stored.rowTime).nanosecondsSince1970)
  }

  private static func timed(_ logged: LoggedFix, at now: Instant) -> TimedFix {
    TimedFix(fix: logged.fix, validAt: now)
  }
}
