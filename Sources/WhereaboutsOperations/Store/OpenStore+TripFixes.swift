import Whereabouts
package import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

extension OpenStore {
  /// Calls the body with each fix of a trip up to the end of its settled track, used or not, the oldest first. Reports
  /// this end for an open trip.
  ///
  /// A trip has no list of its fixes. Its fixes are those of its time range that ``TripNumbers`` selects, without
  /// imported ones: no trip counts imported fixes. Fixes that another command stored between two runs of the trip are
  /// included.
  ///
  /// - Throws: ``CommandError`` if nothing of an open trip is settled, or if the end is before the beginning: the fixes
  ///   lie in no single time range.
  package func fixes(of trip: Trip, _ body: (LoggedFix) throws -> Void) throws {
    guard let began = trip.began, let settled = trip.settledTo else {
      guard trip.ended == nil else { return }
      throw CommandError(
        """
        no fix to write: trip \(trip.id) is open, and nothing of it is settled yet. Pass --since instead of --trip \
        to export fixes that are not settled.
        """)
    }
    guard let span = trip.span else {
      throw CommandError(
        """
        could not export trip \(trip.id): its first fix is dated \(Self.moment(began)) and its last one \
        \(Self.moment(settled)), because the date went back on the way. Pass --since and --until instead of --trip.
        """)
    }
    try attempt { base in
      let numbers = TripNumbers(
        firsts: try numbers(at: began), lasts: try numbers(at: settled),
        resets: try base.clockResets(of: device),
        // The segments of a trip are longer than its time range only if the time went back on the way.
        wentBack: trip.totals.elapsed > settled.seconds(since: began) + 1)
      try base.history(of: device, in: span, uses: Self.uses(true), limit: nil, newestFirst: false) {
        stored in
        if !stored.isImported, numbers.range.contains(stored.seq) { try body(stored.fix) }
      }
    }
    guard trip.ended == nil else { return }
    StandardError.print(
      """
      trip \(trip.id) is open: the export ends with its settled track, at \(Self.moment(settled)). Pass --since \
      instead of --trip to export later fixes.
      """.sanitizedToOneLine)
  }

  /// Returns the numbers of the fixes of one time, in ascending order, without imported ones: those of used fixes, or
  /// else all, since trips count late fixes, too.
  private func numbers(at time: UTCTime) throws -> [UInt64] {
    var used: [UInt64] = [], others: [UInt64] = []
    let span = time..<time.advanced(by: .nanoseconds(1))
    try base.history(of: device, in: span, uses: Self.uses(true), limit: nil, newestFirst: false) { stored in
      guard !stored.isImported else { return }
      if stored.fix.use == .used { used.append(stored.seq) } else { others.append(stored.seq) }
    }
    return used.isEmpty ? others : used
  }

  private static func moment(_ time: UTCTime) -> String { "\(time.dateText) \(time.clockText) UTC" }
}

/// The sequence numbers of a trip's fixes. Other fixes of the same times have other numbers: those of another trip over
/// an overlapping recording, or of another run over the same recording.
///
/// Between two resets of the clock, fixes are stored in the order of their times: a run. The trip's run has its first
/// and its last fix. If no run has both, the trip was resumed or its time went back on the way, and it extends over
/// several runs.
struct TripNumbers {
  /// The range of the numbers.
  let range: ClosedRange<UInt64>

  /// - Parameters:
  ///   - firsts: the numbers of the fixes with the time of the trip's first fix.
  ///   - lasts: the numbers of the fixes with the time of the trip's last fix.
  ///   - resets: the numbers of the used fixes that are older than the used fix before, in ascending order.
  ///   - wentBack: whether the time went back within the trip, so that one run does not have all of it.
  init(firsts: [UInt64], lasts: [UInt64], resets: [UInt64], wentBack: Bool) {
    func run(of number: UInt64) -> Int { resets.count(where: { $0 <= number }) }
    var best: (runs: Int, first: UInt64, last: UInt64)?
    for first in firsts {
      for last in lasts where last >= first {
        let runs = run(of: last) - run(of: first)
        guard runs > 0 || !wentBack else { continue }
        // Of equal ones, the earliest.
        if let found = best, found.runs <= runs { continue }
        best = (runs, first, last)
      }
    }
    guard let chosen = best else {
      range = (firsts.first ?? 0)...UInt64.max
      return
    }
    let next = resets.first { $0 > chosen.last }
    range = chosen.first...(next.map { $0 - 1 } ?? .max)
  }
}
