package import WhereaboutsModel

/// The fences that are watched in a recording, and a buffer of their unsettled events.
package struct FenceReplay {
  let fences: [Fence]
  private var settler: FenceEventSettler

  /// - Parameter number: the number of the last event reported for an earlier recording.
  package init(_ fences: [Fence], settings: FenceSettings = FenceSettings(), after number: UInt64 = 0) {
    self.fences = fences
    settler = FenceEventSettler(lateness: settings.lateness, after: number)
  }

  /// The number of the last reported event.
  var lastNumber: UInt64 { settler.lastReportedNumber }

  /// Processes a fence record of the engine.
  mutating func process(_ record: FenceRecord) { settler.process(record) }

  /// Advances to the time of a fix.
  mutating func advance(to time: UTCTime?, event: (ReplaySession.Event) throws -> Void) rethrows {
    try settler.advance(to: time) { try event(.fenceEvent($0)) }
  }

  /// Ends a segment. The next fixes do not continue the earlier fixes.
  mutating func interrupt(event: (ReplaySession.Event) throws -> Void) rethrows {
    try settler.finish { try event(.fenceEvent($0)) }
  }
}
