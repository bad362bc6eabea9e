package import WhereaboutsModel
package import WhereaboutsFormats
package import WhereaboutsGeodesy
import WhereaboutsSources

/// A trial of fences with several settings on recordings. Each fence is watched once for each setting, all in one
/// run.
package struct FenceTrial {
  package let fences: [Fence]
  let settings: [FenceVariant]
  private let trialFences: [Fence]
  /// The setting and the fence behind each id of a watched fence.
  private var origins: [FenceID: (setting: Int, fence: Int)] = [:]
  private var rows: [[FenceStatistics.Row]]
  /// The events of each setting; empty if events are not kept.
  package private(set) var events: [[ReportedFenceEvent]]
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
    var run = begin()
    var elements: [RecordingElement] = []
    while try reader.read(into: &elements) {
      for element in elements { run.process(element) }
    }
    end(run)
    return reader.problems
  }

  /// One recording that goes through the trial.
  package struct Run {
    fileprivate var analysis: RecordingAnalysis
    fileprivate var pictures = PictureCollector(hasMap: false)
    fileprivate var events: [ReportedFenceEvent] = []
    fileprivate let keepsEvents: Bool

    /// Processes the next element.
    package mutating func process(_ element: RecordingElement) {
      _ = analysis.advance(to: element)
      analysis.process(element, pictures: &pictures) { Self.note($0, in: &events, keepsEvents) }
    }

    fileprivate mutating func finish() {
      analysis.finish(pictures: &pictures) { Self.note($0, in: &events, keepsEvents) }
    }

    private static func note(
      _ event: ReplaySession.Event, in events: inout [ReportedFenceEvent], _ keepsEvents: Bool
    ) {
      if keepsEvents, case .fenceEvent(let event) = event { events.append(event) }
    }
  }

  /// Begins a recording.
  package func begin() -> Run {
    Run(analysis: RecordingAnalysis(watching: FenceReplay(trialFences)), keepsEvents: keepsEvents)
  }

  /// Ends a recording, and adds its results.
  package mutating func end(_ run: Run) {
    var run = run
    run.finish()
    for (id, row) in run.analysis.fences.rows {
      guard let (setting, fence) = origins[id] else { continue }
      rows[setting][fence].add(row)
    }
    for var event in run.events {
      guard let (setting, fence) = origins[event.fence] else { continue }
      event.event.fence = fences[fence].id
      event.event.id = FenceEvent.ID(UInt64(events[setting].count + 1))
      events[setting].append(event)
    }
  }

  /// Returns the statistics of a fence under a setting.
  package func row(_ setting: Int, _ fence: Int) -> FenceStatistics.Row { rows[setting][fence] }

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
