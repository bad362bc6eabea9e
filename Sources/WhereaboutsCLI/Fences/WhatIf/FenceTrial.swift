import WhereaboutsCore
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsSources

/// Fences tried with some settings on recordings, all at once: each fence is watched once for each setting.
struct FenceTrial {
  let fences: [Fence]
  let settings: [FenceSetting]
  private let tried: [Fence]
  /// What each fence that is tried is, in the order in which they are watched.
  private var origins: [FenceID: (setting: Int, fence: Int)] = [:]
  private var rows: [[FenceTally.Row]]
  /// Events by setting, where they are wanted.
  private(set) var events: [[ToldEvent]]
  private let keepsEvents: Bool

  /// - Throws: where a radius makes no circle.
  init(_ fences: [Fence], settings: [FenceSetting], keepsEvents: Bool) throws(AreaProblem) {
    self.fences = fences
    self.settings = settings
    self.keepsEvents = keepsEvents
    var tried: [Fence] = []
    for (number, setting) in settings.enumerated() {
      for (index, fence) in fences.enumerated() {
        let id = FenceID("\(number) \(fence.id)")
        tried.append(try setting.applied(to: fence, id: id))
        origins[id] = (number, index)
      }
    }
    self.tried = tried
    rows = Array(
      repeating: Array(repeating: FenceTally.Row(), count: fences.count), count: settings.count)
    events = Array(repeating: [], count: settings.count)
  }

  /// Goes through a recording.
  ///
  /// - Returns: what of it could not be read.
  mutating func take(_ reader: inout RecordingReader) throws -> ProblemLog {
    var tour = RecordingTour(watching: FencePart(tried))
    var pictures = Pictures(hasMap: false)
    var elements: [RecordingElement] = []
    var told: [ToldEvent] = []
    func note(_ event: ReplaySession.Event) { if case .told(let event) = event { told.append(event) } }
    while try reader.read(into: &elements) {
      for element in elements {
        _ = tour.advance(to: element)
        tour.take(element, pictures: &pictures, event: note)
      }
    }
    tour.finish(pictures: &pictures, event: note)
    for (id, row) in tour.fences.rows {
      guard let (setting, fence) = origins[id] else { continue }
      rows[setting][fence].add(row)
    }
    guard keepsEvents else { return reader.problems }
    for var event in told {
      guard let (setting, fence) = origins[event.fence] else { continue }
      event.fence = fences[fence].id
      event.id = UInt64(events[setting].count + 1)
      events[setting].append(event)
    }
    return reader.problems
  }

  /// What would have happened at a fence under a setting.
  func row(_ setting: Int, _ fence: Int) -> FenceTally.Row { rows[setting][fence] }

  /// The same of all fences together.
  func row(_ setting: Int) -> FenceTally.Row {
    rows[setting].reduce(into: FenceTally.Row()) { $0.add($1) }
  }
}

extension FenceTally.Row {
  /// What happened elsewhere besides.
  fileprivate mutating func add(_ other: Self) {
    enters += other.enters
    exits += other.exits
    dwells += other.dwells
    stays += other.stays
    absences += other.absences
    latencies += other.latencies
    isDetermined = isDetermined || other.isDetermined
    heldBack.merge(other.heldBack) { $0 + $1 }
  }

  /// How often it was entered again so soon after it was left.
  func flaps(within duration: Duration) -> Int {
    absences.count { $0 < duration.inSeconds }
  }

  /// Seconds from a crossing until it is known, the median; `nil` without one.
  var medianLatency: Double? {
    guard !latencies.isEmpty else { return nil }
    return latencies.sorted()[latencies.count / 2]
  }
}
