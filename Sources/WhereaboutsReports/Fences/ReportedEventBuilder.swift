import Whereabouts
package import WhereaboutsModel

/// A builder of reported events from the fence records of a store, in their order.
package struct ReportedEventBuilder {
  /// The maximum number of remembered events that a later revision can refer to.
  private static let rememberedLimit = 1000

  private var recent: [UInt64: ReportedFenceEvent] = [:]
  private var order: [UInt64] = []

  package init() {}

  /// Returns the reported event of a record; `nil` if the record needs no report.
  ///
  /// - Parameter isAgain: whether the event may have been reported before.
  package mutating func event(of record: FenceRecord, isAgain: Bool = false) -> ReportedFenceEvent? {
    switch record {
    case .event(let event): return remember(ReportedFenceEvent(event, status: isAgain ? .again : .new))
    case .revised(_, let event?): return remember(ReportedFenceEvent(event, status: .revised))
    case .revised(let id, nil):
      guard var event = recent[id.number] else { return nil }
      event.status = .revoked
      return event
    case .decided, .removed: return nil
    }
  }

  private mutating func remember(_ event: ReportedFenceEvent) -> ReportedFenceEvent {
    if recent.updateValue(event, forKey: event.id) == nil { order.append(event.id) }
    if order.count > 2 * Self.rememberedLimit {
      for id in order.prefix(Self.rememberedLimit) { recent[id] = nil }
      order.removeFirst(Self.rememberedLimit)
    }
    return event
  }

  /// Returns the final events: a revision replaces its event, and a revoked event is removed.
  package static func resolvingRevisions(_ reported: [ReportedFenceEvent]) -> [ReportedFenceEvent] {
    var places: [UInt64: Int] = [:]
    var events: [ReportedFenceEvent?] = []
    for line in reported {
      if let index = places[line.id] {
        events[index] = line.status == .revoked ? nil : line
      } else if line.status != .revoked {
        places[line.id] = events.count
        events.append(line)
      }
    }
    return events.compactMap { $0 }
  }
}
