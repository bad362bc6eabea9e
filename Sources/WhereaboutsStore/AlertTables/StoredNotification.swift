package import WhereaboutsModel

/// A notification of an alert by a channel, with the state of its delivery.
package struct StoredNotification: Hashable, Sendable {
  /// The kind of a notification.
  package enum Kind: String, Hashable, Sendable {
    /// The alert was met.
    case crossing
    /// Later fixes changed the crossing.
    case revised
    /// Later fixes showed that the crossing did not happen.
    case revoked
  }

  /// The state of a delivery.
  package enum Status: String, Hashable, Sendable, CaseIterable {
    /// The delivery is to be made, or to be made again.
    case waiting
    /// The receiver has acknowledged it.
    case delivered
    /// The receiver refused it, or every attempt failed.
    case refused
    /// The notification became too old.
    case expired
    /// The crossing did not happen, was erased, or is withheld by a privacy zone.
    case withdrawn
  }

  /// The number in the store; 0 before it is stored.
  package var id: Int64 = 0
  /// The id for the receiver, the same in every attempt and on every channel.
  package var key: String
  /// The name of the alert.
  package var alert: String
  /// The name of the channel.
  package var channel: String
  /// The device of the crossing.
  package var device: DeviceID
  /// The number of the crossing's record.
  package var number: UInt64
  /// The id of the crossing.
  package var event: FenceEvent.ID
  /// The kind.
  package var kind: Kind
  /// The time of the crossing.
  package var time: UTCTime
  /// The crossings of the earlier steps as JSON, for ``Alert``'s progress.
  package var steps: String
  /// Whether the steps may be those of other devices.
  package var isJoint: Bool
  /// The time at which the alert was met.
  package var created: UTCTime
  /// The time before which no attempt is made.
  package var notBefore: UTCTime
  /// The number of failed attempts.
  package var attempts = 0
  /// The state.
  package var status = Status.waiting
  /// The end of the last attempt, or of the delivery; `nil` before.
  package var ended: UTCTime?
  /// The reason of the last failure in plain words.
  package var reason: String?

  /// Creates a waiting notification.
  package init(
    key: String, alert: String, channel: String, device: DeviceID, number: UInt64, event: FenceEvent.ID,
    kind: Kind, time: UTCTime, steps: String, isJoint: Bool, created: UTCTime, notBefore: UTCTime
  ) {
    self.key = key
    self.alert = alert
    self.channel = channel
    self.device = device
    self.number = number
    self.event = event
    self.kind = kind
    self.time = time
    self.steps = steps
    self.isJoint = isJoint
    self.created = created
    self.notBefore = notBefore
  }
}
