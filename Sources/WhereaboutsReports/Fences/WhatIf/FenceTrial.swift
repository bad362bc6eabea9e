package import WhereaboutsModel
package import WhereaboutsFormats
package import WhereaboutsGeodesy
import WhereaboutsSources

/// A trial of fences with several settings on recordings. Each setting has an engine of its own, so its events are
/// those of a replay with these terms. Time and memory grow with the number of settings; a recording is read once.
package struct FenceTrial {
  package let fences: [Fence]
  let settings: [FenceVariant]
  /// The watched fences under each setting.
  private let watched: [[Fence]]
  /// The index of each tested fence.
  private var indices: [FenceID: Int] = [:]
  private var rows: [[FenceStatistics.Row]]
  /// The events of each setting; empty if events are not kept.
  package private(set) var events: [[ReportedFenceEvent]]
  private let keepsEvents: Bool

  /// - Parameters:
  ///   - fences: the fences to test.
  ///   - all: all watched fences, the tested ones among them. The other fences keep their terms. They are watched
  ///     because the path near them is evidence for the tested fences, too.
  ///   - settings: the settings to try.
  ///   - keepsEvents: whether the events are kept.
  /// - Throws: an error if a radius gives no valid circle.
  package init(_ fences: [Fence], among all: [Fence], settings: [FenceVariant], keepsEvents: Bool)
    throws(AreaError)
  {
    self.fences = fences
    self.settings = settings
    self.keepsEvents = keepsEvents
    for (index, fence) in fences.enumerated() { indices[fence.id] = index }
    var watched: [[Fence]] = []
    for setting in settings {
      var tried: [Fence] = []
      for fence in all {
        tried.append(try (indices[fence.id] == nil ? FenceVariant() : setting).applied(to: fence))
      }
      watched.append(tried)
    }
    self.watched = watched
    rows = Array(
      repeating: Array(repeating: FenceStatistics.Row(), count: fences.count), count: settings.count)
    events = Array(repeating: [], count: settings.count)
  }

  /// Processes a recording.
  package mutating func process(_ reader: inout RecordingReader) throws {
    var run = begin()
    var elements: [RecordingElement] = []
    while try reader.read(into: &elements) { run.process(elements) }
    end(run)
  }

  /// One recording that goes through the trial.
  package struct Run {
    /// The run under each setting.
    fileprivate var variants: [VariantRun]

    /// Processes the next elements.
    package mutating func process(_ elements: [RecordingElement]) {
      for index in variants.indices { variants[index].process(elements) }
    }
  }

  /// Begins a recording.
  package func begin() -> Run {
    Run(variants: watched.map { VariantRun(watching: $0, keepsEvents: keepsEvents) })
  }

  /// Ends a recording, and adds its results.
  package mutating func end(_ run: Run) {
    var run = run
    for setting in run.variants.indices {
      run.variants[setting].finish()
      let results = run.variants[setting].results
      for (id, row) in results.statistics.rows {
        if let fence = indices[id] { rows[setting][fence].add(row) }
      }
      for var event in results.events where indices[event.fence] != nil {
        event.event.id = FenceEvent.ID(UInt64(events[setting].count + 1))
        events[setting].append(event)
      }
    }
  }

  /// Returns the statistics of a fence under a setting.
  package func row(_ setting: Int, _ fence: Int) -> FenceStatistics.Row { rows[setting][fence] }

  /// Returns the combined statistics of all fences under a setting.
  func row(_ setting: Int) -> FenceStatistics.Row {
    rows[setting].reduce(into: FenceStatistics.Row()) { $0.add($1) }
  }
}

/// The run of a recording under one setting.
private struct VariantRun {
  private var session: ReplaySession
  private let fences: [Fence]
  private(set) var results: Results

  /// The results so far.
  struct Results {
    var statistics = FenceStatistics()
    /// The events; empty if events are not kept.
    var events: [ReportedFenceEvent] = []
    let keepsEvents: Bool

    mutating func process(_ event: ReplaySession.Event) {
      switch event {
      case .fenceEvent(let event):
        statistics.process(event)
        if keepsEvents { events.append(event) }
      case .fenceDecision(let decision): statistics.process(decision)
      case .accepted, .refused, .settled, .restarted, .answered: break
      }
    }
  }

  init(watching fences: [Fence], keepsEvents: Bool) {
    self.fences = fences
    session = ReplaySession(watching: FenceReplay(fences))
    results = Results(keepsEvents: keepsEvents)
  }

  mutating func process(_ elements: [RecordingElement]) {
    for element in elements {
      switch element {
      case .fix(let fix):
        _ = session.advance(to: fix)
        results.statistics.advance(to: fix.time)
        session.process(fix) { results.process($0) }
      case .trackBegan, .segmentBegan, .deviceBegan: session.beginSegment { results.process($0) }
      case .waypoint, .routeBegan, .routePoint, .heading, .satellites, .visit, .offset: break
      }
    }
  }

  mutating func finish() {
    session.finish { results.process($0) }
    results.statistics.finish(watching: fences)
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
