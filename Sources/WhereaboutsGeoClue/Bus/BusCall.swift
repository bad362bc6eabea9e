/// A method call to a peer on the bus.
package struct BusCall: Hashable, Sendable {
  /// The destination: a name on the bus.
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]
  /// The timeout for the reply; `nil` waits until a reply arrives or the connection is lost.
  package var timeout: Duration?
  /// Whether the bus may start the service that owns the name.
  package var allowsAutoStart: Bool

  package init(
    _ member: String, of interface: String, at path: String, on destination: String,
    _ arguments: [BusValue] = [], timeout: Duration? = .seconds(5), allowsAutoStart: Bool = false
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.timeout = timeout
    self.allowsAutoStart = allowsAutoStart
  }

  /// Returns a call that reads all properties of an object.
  package static func properties(
    of interface: String, at path: String, on destination: String, allowsAutoStart: Bool = false
  ) -> BusCall {
    BusCall(
      "GetAll", of: "org.freedesktop.DBus.Properties", at: path, on: destination, [.text(interface)],
      allowsAutoStart: allowsAutoStart)
  }

  /// Returns a call that sets a property of an object.
  package static func set(
    _ property: String, of interface: String, at path: String, on destination: String, to value: BusValue
  ) -> BusCall {
    BusCall(
      "Set", of: "org.freedesktop.DBus.Properties", at: path, on: destination,
      [.text(interface), .text(property), .variant(value)])
  }

  /// Returns a call to the bus daemon itself.
  package static func toBusDaemon(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
    BusCall(
      member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus", arguments)
  }
}

/// The reply to a call.
package struct BusReply: Hashable, Sendable {
  /// The sender's unique name on the bus.
  package var sender: String
  package var values: [BusValue]

  package init(sender: String, values: [BusValue]) {
    self.sender = sender
    self.values = values
  }
}

/// A signal of a peer on the bus.
package struct BusSignal: Hashable, Sendable {
  /// The sender's unique name on the bus, or the bus itself.
  package var sender: String
  package var path: String
  package var interface: String
  package var member: String
  package var values: [BusValue]

  package init(sender: String, path: String, interface: String, member: String, values: [BusValue]) {
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.values = values
  }
}

/// The reason why a call failed, or the bus can't be reached.
package struct DBusError: Error, Hashable, Sendable {
  /// The error's name on the bus.
  package var name: String
  /// The peer's message.
  package var message: String

  package init(_ name: String, _ message: String = "") {
    self.name = name
    self.message = message
  }

  /// Whether no peer owns the name, and the bus has nothing to start for the name.
  var isUnknownService: Bool {
    name == "org.freedesktop.DBus.Error.ServiceUnknown"
      || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
  }

  /// Whether no reply arrived in time.
  var isTimeout: Bool {
    name == "org.freedesktop.DBus.Error.NoReply" || name == "org.freedesktop.DBus.Error.Timeout"
      || name == "System.Error.ETIMEDOUT"
  }

  var isAccessDenied: Bool {
    name == "org.freedesktop.DBus.Error.AccessDenied"
  }
}
