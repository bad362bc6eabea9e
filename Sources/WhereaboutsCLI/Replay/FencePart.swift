import WhereaboutsCore

/// The fences that are watched in a recording.
struct FencePart {
  private var book = FenceBook()
  private var watch: FenceWatch
  private var settler: EventSettler
  private var notes: [FenceNote] = []

  /// - Parameter number: of the last event that was told of a recording before.
  init(_ fences: [Fence], settings: FenceSettings = FenceSettings(), after number: UInt64 = 0) {
    watch = FenceWatch(settings)
    settler = EventSettler(lateness: settings.lateness, after: number)
    for fence in fences { book.update(fence) }
  }

  /// The number of the event that was told last.
  var lastNumber: UInt64 { settler.last }

  /// Takes a fix.
  mutating func take(_ fix: Fix, event: (ReplaySession.Event) throws -> Void) rethrows {
    notes.removeAll(keepingCapacity: true)
    if let time = fix.time {
      while let next = watch.nextTime(in: book), next <= time {
        watch.passTime(to: next, in: book, into: &notes)
        if watch.nextTime(in: book) == next { break }
      }
    }
    watch.take(fix, in: book, into: &notes)
    try tell(event)
    try settler.advance(to: fix.time) { try event(.told($0)) }
  }

  /// What comes next does not continue what came before.
  mutating func breakOff(event: (ReplaySession.Event) throws -> Void) rethrows {
    notes.removeAll(keepingCapacity: true)
    watch.breakOff(in: book, into: &notes)
    try tell(event)
    try settler.finish { try event(.told($0)) }
  }

  private mutating func tell(_ event: (ReplaySession.Event) throws -> Void) rethrows {
    for note in notes {
      settler.take(note)
      switch note {
      case .decided(let decision): try event(.decided(decision))
      case .removed(let fence, _): book.remove(fence)
      case .event, .revised: break
      }
    }
  }
}
