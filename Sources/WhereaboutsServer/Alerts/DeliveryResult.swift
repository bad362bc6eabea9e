/// The result of an attempt to deliver a notification.
enum DeliveryResult: Hashable, Sendable {
  /// The receiver has it.
  case delivered
  /// The attempt failed and is made again, not before a time in seconds if the receiver said one.
  case failed(reason: String, retryAfter: Double?)
  /// The receiver does not take it as it is. A few attempts are made, because receivers err.
  case refused(reason: String)
  /// The receiver wants no more.
  case gone(reason: String)
}
