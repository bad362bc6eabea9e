/// What a watch over fences has to say.
public enum FenceNote: Hashable, Sendable, Codable {
  /// Something happened.
  case event(FenceEvent)
  /// A fix that came late changed what was told: the event of that id is now this, or did not happen at all.
  case revised(FenceEvent.ID, FenceEvent?)
  /// Something was decided, and why.
  case decided(FenceDecision)
  /// A fence is over: it was for one event, or its time is up.
  case removed(FenceID, because: FenceEnd)
}

/// Why a fence is over.
public enum FenceEnd: String, Hashable, Sendable, Codable {
  /// It was for one event.
  case once
  /// Its time is up.
  case expired
}
