/// A call of a method of somebody on the bus.
package struct BusCall: Hashable, Sendable {
  /// To whom: a name on the bus.
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusValue]
  /// How long an answer is waited for; `nil` waits until there is one or the connection is gone.
  package var timeout: Duration?
  /// Whether the bus may start whoever has that name.
  package var mayStart: Bool

  package init(
    _ member: String, of interface: String, at path: String, on destination: String,
    _ arguments: [BusValue] = [], timeout: Duration? = .seconds(5), mayStart: Bool = false
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.timeout = timeout
    self.mayStart = mayStart
  }

  /// All properties of an object.
  package static func properties(
    of interface: String, at path: String, on destination: String, mayStart: Bool = false
  ) -> BusCall {
    BusCall(
      "GetAll", of: "org.freedesktop.DBus.Properties", at: path, on: destination, [.text(interface)],
      mayStart: mayStart)
  }

  /// Sets a property of an object.
  package static func set(
    _ property: String, of interface: String, at path: String, on destination: String, to value: BusValue
  ) -> BusCall {
    BusCall(
      "Set", of: "org.freedesktop.DBus.Properties", at: path, on: destination,
      [.text(interface), .text(property), .variant(value)])
  }

  /// Something that the bus itself is asked.
  package static func ofBus(_ member: String, _ arguments: [BusValue] = []) -> BusCall {
    BusCall(
      member, of: "org.freedesktop.DBus", at: "/org/freedesktop/DBus", on: "org.freedesktop.DBus", arguments)
  }
}

/// What came back from a call.
package struct BusReply: Hashable, Sendable {
  /// Who answered: its unique name on the bus.
  package var sender: String
  package var values: [BusValue]

  package init(sender: String, values: [BusValue]) {
    self.sender = sender
    self.values = values
  }
}

/// What somebody on the bus has told without being asked.
package struct BusSignal: Hashable, Sendable {
  /// Who told it: its unique name on the bus, or the bus itself.
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

/// Why a call has no answer, or the bus can't be reached.
package struct BusFailure: Error, Hashable, Sendable {
  /// The name of the error on the bus.
  package var name: String
  /// What whoever refused says about it.
  package var message: String

  package init(_ name: String, _ message: String = "") {
    self.name = name
    self.message = message
  }

  /// Nobody has the name, and the bus knows nothing that it could start.
  var isUnknownService: Bool {
    name == "org.freedesktop.DBus.Error.ServiceUnknown"
      || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
  }

  /// Nobody answered in time.
  var isTimeout: Bool {
    name == "org.freedesktop.DBus.Error.NoReply" || name == "org.freedesktop.DBus.Error.Timeout"
      || name == "System.Error.ETIMEDOUT"
  }

  var isAccessDenied: Bool {
    name == "org.freedesktop.DBus.Error.AccessDenied"
  }
}
