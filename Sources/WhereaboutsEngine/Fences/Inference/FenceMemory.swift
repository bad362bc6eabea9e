import WhereaboutsModel

/// The state of one device towards one fence that is near or contains the device.
struct FenceMemory: Hashable, Sendable, Codable {
  let key: UInt32
  let serial: UInt64
  var evidence: SideEvidence
  var notification: FenceNotificationState

  /// Returns whether the state can be dropped once the fence is far away.
  @inline(__always)  // A call with each fix would copy the whole state.
  func isRemovable(_ rule: FenceRule) -> Bool {
    evidence.side == .outside && evidence.isSettled && notification.isIdle(rule)
  }
}
