package import WhereaboutsModel
package import WhereaboutsFormats
package import WhereaboutsGeodesy
import WhereaboutsSources

/// A trial of fences with several settings on recordings. Each fence is watched once for each setting, all in one
/// run.
package struct FenceTrial {
  let fences: [Fence]
  let settings: [FenceVariant]
  private let trialFences: [Fence]
  /// The setting and the fence behind each id of a watched fence.
  private var origins: [FenceID: (setting: Int, fence: Int)] = [:]
  private var rows: [[FenceStatistics.Row]]
  /// The events of each setting; empty if events are not kept.
  private(set) var events: [[ReportedFenceEvent]]
  private let keepsEvents: Bool

  /// - Throws: an error if a radius gives no valid circle.
  package init(_ fences: [Fence], settings: [FenceVariant], keepsEvents: Bool) throws(AreaError) {
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
    self.trialFences = tried
    rows = Array(
      repeating: Array(repeating: FenceStatistics.Row(), count: fences.count), count: settings.count)
    events = Array(repeating: [], count: settings.count)
  }

  /// Processes a recording.
  ///
  /// - Returns: the problems of reading the recording.
  package mutating func process(_ reader: inout RecordingReader) throws -> ProblemLog {
    var tour = RecordingAnalysis(watching: FenceReplay(trialFences))
    var pictures = PictureCollector(hasMap: false)
    var elements: [RecordingElement] = []
    var told: [ReportedFenceEvent] = []
    func note(_ event: ReplaySession.Event) { if case .fenceEvent(let event) = event { told.append(event) } }
    while try reader.read(into: &elements) {
      for element in elements {
        _ = tour.advance(to: element)
        tour.process(element, pictures: &pictures, event: note)
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
      event.event.fence = fences[fence].id
      event.event.id = FenceEvent.ID(UInt64(events[setting].count + 1))
      events[setting].append(event)
    }
    return reader.problems
  }

  /// Returns the statistics of a fence under a setting.
  func row(_ setting: Int, _ fence: Int) -> FenceStatistics.Row { rows[setting][fence] }

  /// Returns the combined statistics of all fences under a setting.
  func row(_ setting: Int) -> FenceStatistics.Row {
    rows[setting].reduce(into: FenceStatistics.Row()) { $0.add($1) }
  }
}

extension FenceStatistics.Row {
  /// Adds the statistics of another fence.
  fileprivate mutating func add(_ other: Self) {
    enters += other.enters
    exits += other.exits
    dwells += other.dwells
    stays += other.stays
    absences += other.absences
    latencies += other.latencies
    isDetermined = isDetermined || other.isDetermined
    suppressed.merge(other.suppressed) { $0 + $1 }
  }

  /// Returns the number of enters that follow an exit within the duration.
  func flaps(within duration: Duration) -> Int {
    absences.count { $0 < duration.inSeconds }
  }

  /// The median of the seconds from a crossing to its decision; `nil` without a crossing.
  var medianLatency: Double? {
    guard !latencies.isEmpty else { return nil }
    return latencies.sorted()[latencies.count / 2]
  }
}
