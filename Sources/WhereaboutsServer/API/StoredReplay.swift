import Hummingbird
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// Stored fixes of a device that go through a new engine, so that its decisions can be seen.
///
/// A run may take seconds: perform it outside of the threads on which requests are answered.
struct StoredReplay: Sendable {
  /// The greatest number of fixes; a day at one fix every two seconds.
  static let limit = 43_200
  /// The durations before a moment from which fixes may be read, so that the engine knows the device's place and how long
  /// it has rested. The first one with few enough fixes is used: a phone at rest may report every few hours.
  private static let leads: [Duration] = [
    .seconds(7 * 86_400), .seconds(86_400), .seconds(6 * 3600), .seconds(3600), .seconds(600),
  ]
  /// The duration after a moment for which fixes are read, to report the following events.
  private static let trail = Duration.seconds(3600)

  private let fixes: [StoredFix]

  /// The number of the fixes that came too late to change a crossing.
  var tooLateCount: Int {
    let lateness = FenceSettings().lateness
    var count = 0, newest: UTCTime?
    for stored in fixes.sorted(by: { $0.seq < $1.seq }) {
      guard let time = stored.fix.fix.time else { continue }
      guard stored.fix.use == .late else {
        newest = time
        continue
      }
      // Without a newer fix in the span, the newest one is after it.
      if newest.map({ $0 < time || $0.since(time) > lateness }) ?? true { count += 1 }
    }
    return count
  }

  /// Reads the fixes of a span.
  ///
  /// - Throws: ``Problem`` 422 if these are more than ``limit``.
  init(_ span: Range<UTCTime>, of device: DeviceID, in store: SQLiteStore) throws {
    guard let fixes = try Self.fixes(of: device, in: span, store) else {
      throw Problem(
        .unprocessableContent, "The span has more than \(Self.limit) fixes. Ask for a shorter one.")
    }
    self.fixes = fixes
  }

  /// Reads the fixes before and after a moment.
  init(around moment: UTCTime, of device: DeviceID, in store: SQLiteStore) throws {
    for lead in Self.leads {
      let span = moment.advanced(by: .zero - lead)..<moment.advanced(by: Self.trail)
      guard let fixes = try Self.fixes(of: device, in: span, store) else { continue }
      self.fixes = fixes
      return
    }
    throw Problem(.unprocessableContent, "The device has more than \(Self.limit) fixes within minutes.")
  }

  private static func fixes(
    of device: DeviceID, in span: Range<UTCTime>, _ store: SQLiteStore
  ) throws -> [StoredFix]? {
    let page = try store.historyPage(of: device, in: span, after: nil, limit: limit + 1)
    return page.count > limit ? nil : page
  }

  /// Runs the fixes through an engine that shares a registry of fences.
  func run(sharing fences: FenceRegistry, step: RecordedRun.Step) rethrows {
    var run = RecordedRun(marksFixes: false)
    try run.begin(RequestTerms(level: .house, timeout: nil), sharing: fences, step: step)
    for fix in fixes { try run.process(.fix(fix.fix.fix), step: step) }
    try run.end(step: step)
  }
}
