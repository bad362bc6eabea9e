public import WhereaboutsCore

/// What is told of fences, and what keeps them from being watched.
public enum FenceUpdate: Hashable, Sendable {
  /// Something happened at a fence.
  case event(FenceEvent)
  /// A fix that came late changed what was told: the event of that id is now this, or did not happen at all.
  case revised(FenceEvent.ID, FenceEvent?)
  /// A fence is over: it was for one event, or its time is up.
  case removed(FenceID, because: FenceEnd)
  /// The source does not deliver: until it does nothing is seen. What happened meanwhile is told afterwards.
  case trouble(SourceTrouble)
  /// Whether fixes may be had has changed; while they may not nothing is seen.
  case authorization(Authorization)
  /// What happens can't be written down for now; it is tried again. Whether it is told all the same is
  /// ``ManagerSettings/unkeptEvents``.
  case notKept(StoreTrouble)
  /// What happens is written down again, and what could not be has been.
  case keptAgain

  /// What a note tells; `nil` where it is only a decision.
  init?(_ note: FenceNote) {
    switch note {
    case .event(let event): self = .event(event)
    case .revised(let id, let event): self = .revised(id, event)
    case .removed(let id, let end): self = .removed(id, because: end)
    case .decided: return nil
    }
  }

  /// The event that is told, for the first time or again.
  var event: FenceEvent? {
    switch self {
    case .event(let event), .revised(_, let event?): event
    case .revised(_, nil), .removed, .trouble, .authorization, .notKept, .keptAgain: nil
    }
  }
}
