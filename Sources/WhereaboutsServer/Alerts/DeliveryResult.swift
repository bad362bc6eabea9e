/// The result of an attempt to deliver a notification.
enum DeliveryResult: Hashable, Sendable {
  /// The receiver has accepted the notification.
  case delivered
  /// The attempt failed and is repeated, not before a time in seconds if the receiver stated one.
  case failed(reason: String, retryAfter: Double?)
  /// The receiver does not accept the message in this form. A few attempts are made, because receivers err.
  case refused(reason: String)
  /// The receiver wants no more.
  case gone(reason: String)
}
