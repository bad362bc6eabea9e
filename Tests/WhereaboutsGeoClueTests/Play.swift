import Whereabouts

@testable import WhereaboutsGeoClue

/// A session with nobody at the other end: a test says what happens and looks at what the session wants.
struct Play {
  typealias Effect = ServiceSession.Effect

  static let client = "/org/freedesktop/GeoClue2/Client/7"
  static let service = ":1.42"

  var session: ServiceSession
  var now = Instant.start
  /// The number of the last question.
  private(set) var asked = 0

  init(desktopID: String = "whereabouts") {
    session = ServiceSession(GeoClueSettings(desktopID: desktopID))
  }

  /// What is told on when this happens.
  mutating func tells(_ event: ServiceSession.Event) -> [SourceSignal] {
    handle(event).compactMap { if case .tell(let signal) = $0 { signal } else { nil } }
  }

  @discardableResult
  mutating func handle(_ event: ServiceSession.Event) -> [Effect] {
    let effects = session.handle(event, at: now)
    for case .call(_, .client(let number)?) in effects { asked = number }
    for case .call(_, .start(let number)?) in effects { asked = number }
    return effects
  }

  /// Lets time pass, and wakes the session whenever it wants to be woken.
  mutating func pass(_ duration: Duration) -> [Effect] {
    let end = now.advanced(by: duration)
    var effects: [Effect] = []
    while let due = session.nextWake, due <= end {
      now = max(now, due)
      effects += handle(.woke)
    }
    now = end
    return effects
  }

  static func continuous(
    _ accuracy: Double, distance: Double = 0, interval: Duration = .zero
  ) -> Demand {
    .continuous(ContinuousDemand(accuracy: accuracy, distanceFilter: distance, interval: interval))
  }

  // MARK: What the service does

  mutating func letsIn() -> [Effect] {
    handle(.reply(.client(asked), .success(BusReply(sender: Self.service, values: [.path(Self.client)]))))
  }

  mutating func starts() -> [Effect] {
    handle(.reply(.start(asked), .success(BusReply(sender: Self.service, values: []))))
  }

  mutating func refusesStart(_ name: String, _ message: String = "") -> [Effect] {
    handle(.reply(.start(asked), .failure(BusFailure(name, message))))
  }

  mutating func failsToLetIn(_ name: String, _ message: String = "") -> [Effect] {
    handle(.reply(.client(asked), .failure(BusFailure(name, message))))
  }

  mutating func updates(to path: String = client + "/Location/1", by sender: String = service) -> [Effect] {
    handle(
      .signal(
        BusSignal(
          sender: sender, path: Self.client, interface: "org.freedesktop.GeoClue2.Client",
          member: "LocationUpdated", values: [.path("/"), .path(path)])))
  }

  mutating func gives(_ properties: BusValue) -> [Effect] {
    handle(.reply(.location, .success(BusReply(sender: Self.service, values: [properties]))))
  }

  mutating func hasOwner(_ owner: String) -> [Effect] {
    handle(
      .signal(
        BusSignal(
          sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
          member: "NameOwnerChanged",
          values: [.text("org.freedesktop.GeoClue2"), .text(Self.service), .text(owner)])))
  }

  mutating func isActive(_ isActive: Bool) -> [Effect] {
    handle(
      .signal(
        BusSignal(
          sender: Self.service, path: Self.client, interface: "org.freedesktop.DBus.Properties",
          member: "PropertiesChanged",
          values: [
            .text("org.freedesktop.GeoClue2.Client"), .properties(["Active": .bool(isActive)]),
            .array(of: "s", []),
          ])))
  }

  /// Asked for fixes, let in and started.
  static func running(_ demand: Demand = continuous(10)) -> Play {
    var play = Play()
    play.handle(.demand(demand))
    _ = play.letsIn()
    _ = play.starts()
    return play
  }
}

/// A location as satellites give it.
func location(
  accuracy: Double = 0, altitude: Double = 35, speed: Double = 1.5, heading: Double = 84,
  seconds: UInt64 = 1_795_282_170, latitude: Double = 48.85, longitude: Double = 2.29
) -> BusValue {
  .properties([
    "Latitude": .double(latitude), "Longitude": .double(longitude), "Accuracy": .double(accuracy),
    "Altitude": .double(altitude), "Speed": .double(speed), "Heading": .double(heading),
    "Description": .text(""), "Timestamp": .structure([.uint64(seconds), .uint64(250_000)]),
  ])
}

extension [ServiceSession.Effect] {
  /// What is told on.
  var told: [SourceSignal] { compactMap { if case .tell(let signal) = $0 { signal } else { nil } } }

  /// The members that are called, and what properties are set to.
  var calls: [String] {
    compactMap {
      guard case .call(let call, _) = $0 else { return nil }
      guard call.member == "Set", call.arguments.count == 3, let name = call.arguments[1].asText else {
        return call.member
      }
      let value = call.arguments[2]
      return "\(name)=\(value.asText ?? value.asNumber.map { "\($0)" } ?? "?")"
    }
  }

  var authorizations: [Authorization] {
    told.compactMap { if case .authorization(let authorization) = $0 { authorization } else { nil } }
  }

  var troubles: [SourceTrouble.Code] {
    told.compactMap { if case .unavailable(let trouble) = $0 { trouble.code } else { nil } }
  }

  var fixes: [Fix] {
    told.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
}
