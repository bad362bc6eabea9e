import Whereabouts
import WhereaboutsCore

/// Makes what is told of fences out of the notes of a store, in their order.
struct ToldEvents {
  /// Events that a later revision can be told of.
  private static let remembered = 1000

  private var recent: [UInt64: ToldEvent] = [:]
  private var order: [UInt64] = []

  /// What is told of a note; `nil` where that is nothing.
  ///
  /// - Parameter isAgain: whether it may have been told before.
  mutating func event(of note: FenceNote, isAgain: Bool = false) -> ToldEvent? {
    switch note {
    case .event(let event): return take(ToldEvent(event, news: isAgain ? .again : .new))
    case .revised(_, let event?): return take(ToldEvent(event, news: .revised))
    case .revised(let id, nil):
      guard var event = recent[id.number] else { return nil }
      event.news = .revoked
      return event
    case .decided, .removed: return nil
    }
  }

  private mutating func take(_ event: ToldEvent) -> ToldEvent {
    if recent.updateValue(event, forKey: event.id) == nil { order.append(event.id) }
    if order.count > 2 * Self.remembered {
      for id in order.prefix(Self.remembered) { recent[id] = nil }
      order.removeFirst(Self.remembered)
    }
    return event
  }

  /// What happened as far as is known now: revisions in the place of what they revise, and nothing that was revoked.
  static func settled(_ told: [ToldEvent]) -> [ToldEvent] {
    var places: [UInt64: Int] = [:]
    var events: [ToldEvent?] = []
    for line in told {
      if let index = places[line.id] {
        events[index] = line.news == .revoked ? nil : line
      } else if line.news != .revoked {
        places[line.id] = events.count
        events.append(line)
      }
    }
    return events.compactMap { $0 }
  }
}
