import WhereaboutsCore

/// The fences that are watched in a recording, and what is told of them once it is settled.
struct FencePart {
  let fences: [Fence]
  private var settler: EventSettler

  /// - Parameter number: of the last event that was told of a recording before.
  init(_ fences: [Fence], settings: FenceSettings = FenceSettings(), after number: UInt64 = 0) {
    self.fences = fences
    settler = EventSettler(lateness: settings.lateness, after: number)
  }

  /// The number of the event that was told last.
  var lastNumber: UInt64 { settler.last }

  /// Takes what the engine has to say.
  mutating func take(_ note: FenceNote) { settler.take(note) }

  /// A fix came that was made then.
  mutating func advance(to time: UTCTime?, event: (ReplaySession.Event) throws -> Void) rethrows {
    try settler.advance(to: time) { try event(.told($0)) }
  }

  /// What comes next does not continue what came before.
  mutating func breakOff(event: (ReplaySession.Event) throws -> Void) rethrows {
    try settler.finish { try event(.told($0)) }
  }
}
