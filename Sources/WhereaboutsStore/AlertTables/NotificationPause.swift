package import WhereaboutsModel

/// The pause of a channel after a failed attempt, for the next run.
package struct NotificationPause: Hashable, Sendable {
  /// The notification whose attempt failed.
  package var notification: Int64
  /// The end of the pause.
  package var end: UTCTime
  /// The length of the pause.
  package var length: Duration
  /// The number of attempts that the receiver has refused.
  package var refusals: Int
  /// A name of the receiver without blanks. The pause is of no meaning for another one.
  package var receiver: String

  /// Creates a pause.
  package init(notification: Int64, end: UTCTime, length: Duration, refusals: Int, receiver: String) {
    self.notification = notification
    self.end = end
    self.length = length
    self.refusals = refusals
    self.receiver = receiver
  }

  /// Returns the rest of the pause. By a clock that was set back it is not longer than the pause.
  package func rest(at now: UTCTime) -> Duration { max(.zero, min(end.since(now), length)) }

  init?(text: String) {
    let parts = text.split(separator: " ")
    let numbers = parts.prefix(4).compactMap { Int64($0) }
    guard parts.count == 5, numbers.count == 4 else { return nil }
    self.init(
      notification: numbers[0], end: UTCTime(nanosecondsSince1970: numbers[1]),
      length: .nanoseconds(numbers[2]), refusals: Int(clamping: numbers[3]), receiver: String(parts[4]))
  }

  /// The stored form: the notification, the end and the length in nanoseconds, the refusals, and the receiver.
  var text: String {
    "\(notification) \(end.nanosecondsSince1970) \(length.clampedNanoseconds) \(refusals) \(receiver)"
  }
}
