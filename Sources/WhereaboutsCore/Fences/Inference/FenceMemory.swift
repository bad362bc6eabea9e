/// What one device remembers of one fence that is near, or that it is inside of.
struct FenceMemory: Hashable, Sendable, Codable {
  let key: UInt32
  let serial: UInt64
  var evidence: SideEvidence
  var telling: FenceTelling

  /// Whether nothing of it need be remembered once the fence is far away.
  var isForgettable: Bool { evidence.side == .outside && evidence.isCalm && telling.isIdle }
}
