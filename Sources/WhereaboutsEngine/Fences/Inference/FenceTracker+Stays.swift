import WhereaboutsModel

/// The wait of a tracker's stays and held-back events for the next fix.
enum StayWait: Hashable, Sendable, Codable {
  /// Fixes were refused: the stays begin again with the next fix. Nothing is known of the time between.
  case toBeginAgain
  /// Another process had received the last fix: an event that is due after a time waits. Nothing observed the device
  /// between the processes, and the next fix decides, by the time of a crossing that it shows.
  case dueAfter(UTCTime)
}

/// Stays and held-back events that wait for the next fix.
extension FenceTracker {
  /// Makes the stays begin again with the next fix.
  mutating func restartStays() {
    // The device may enter and leave a fence unobserved.
    sideChanges = nil
    if !memories.isEmpty { stayWait = .toBeginAgain }
  }

  /// Makes events wait for the next fix that are due without one, later than the gap after the last fix.
  ///
  /// - Returns: whether anything is due without a fix.
  mutating func awaitFix(in registry: FenceRegistry) -> Bool {
    guard stayWait == nil, let last, nextDeadline(delay: .zero, in: registry) != nil else { return false }
    stayWait = .dueAfter(last.time.advanced(by: gap))
    return true
  }

  /// Ends the wait of the stays at a fix.
  mutating func resumeStays(at time: UTCTime) {
    switch stayWait {
    case nil: return
    case .dueAfter: break
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
    case .dueAfter(let limit): min(time, limit)
    }
  }
}
