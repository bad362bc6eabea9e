import WhereaboutsModel

/// The wait of a tracker's stays and held-back events for the next fix.
enum StayWait: Hashable, Sendable, Codable {
  /// Fixes were refused: the stays begin again with the next fix. Nothing is known of the time between.
  case toBeginAgain
}

/// Stays and held-back events that wait for the next fix.
extension FenceTracker {
  /// Makes the stays begin again with the next fix.
  mutating func restartStays() {
    if !memories.isEmpty { stayWait = .toBeginAgain }
  }

  /// Ends the wait of the stays at a fix.
  mutating func resumeStays(at time: UTCTime) {
    switch stayWait {
    case nil: return
    case .toBeginAgain:
      for index in memories.indices { memories[index].notification.restartStays(at: time) }
    }
    stayWait = nil
  }

  /// Returns the time up to which stays go on without a fix.
  ///
  /// - Parameter time: the present time; returned where the stays do not wait for a fix.
  func staysKnown(at time: UTCTime) -> UTCTime? {
    switch stayWait {
    case nil: time
    case .toBeginAgain: nil
    }
  }
}
