/// A message for a broker. Every message has quality of service 1: the broker acknowledges it.
struct BrokerMessage: Hashable, Sendable {
  var topic: String
  var payload: [UInt8]
  /// Whether the broker retains the message for later subscribers.
  var isRetained: Bool

  init(_ topic: String, _ payload: [UInt8], isRetained: Bool) {
    self.topic = topic
    self.payload = payload
    self.isRetained = isRetained
  }

  init(_ topic: String, text: String, isRetained: Bool) {
    self.init(topic, Array(text.utf8), isRetained: isRetained)
  }
}

/// The reason why a connection to a broker does not begin or does not last.
struct BrokerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in plain words, without names and places.
  let description: String

  init(_ description: String) { self.description = description }
}
