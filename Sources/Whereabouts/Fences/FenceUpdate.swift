public import WhereaboutsModel

/// An event of a fence, or a problem that keeps fences from being monitored.
public enum FenceUpdate: Hashable, Sendable {
  /// A new event of a fence.
  case event(FenceEvent)
  /// A late fix revised the event with this id: the event is now this one, or `nil` if it never happened.
  case revised(FenceEvent.ID, FenceEvent?)
  /// A fence was removed after its single event or at its expiry.
  case removed(FenceID, because: FenceRemovalReason)
  /// The source does not deliver and fences are not monitored. Events in between are reported afterwards.
  case problem(SourceProblem)
  /// The authorization has changed. While fixes are not permitted, fences are not monitored.
  case authorization(Authorization)
  /// Events can't be stored for now; the manager retries. ``ManagerSettings/unsavedEvents`` says whether unsaved
  /// events are reported.
  case storeFailed(StoreError)
  /// Events are stored again, including those that were pending.
  case storeRecovered

  /// Creates an update from a record; `nil` if the record is only a decision.
  init?(_ note: FenceRecord) {
    switch note {
    case .event(let event): self = .event(event)
    case .revised(let id, let event): self = .revised(id, event)
    case .removed(let id, let end): self = .removed(id, because: end)
    case .decided: return nil
    }
  }

  /// The event, new or revised.
  var event: FenceEvent? {
    switch self {
    case .event(let event), .revised(_, let event?): event
    case .revised(_, nil), .removed, .problem, .authorization, .storeFailed, .storeRecovered: nil
    }
  }
}
