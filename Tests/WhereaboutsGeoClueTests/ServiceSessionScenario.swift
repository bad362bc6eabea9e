import Whereabouts

@testable import WhereaboutsGeoClue

/// A session without a service: a test sends events and checks the effects.
struct ServiceSessionScenario {
  typealias Effect = GeoClueSession.Effect

  static let client = "/org/freedesktop/GeoClue2/Client/7"
  static let service = ":1.42"

  var session: GeoClueSession
  var now = Instant.start
  /// The number of the last question.
  private(set) var lastCallNumber = 0

  init(desktopID: String = "whereabouts") {
    session = GeoClueSession(GeoClueSettings(desktopID: desktopID))
  }

  @discardableResult
  mutating func handle(_ event: GeoClueSession.Event) -> [Effect] {
    let effects = session.handle(event, at: now)
    for case .call(_, .client(let number)?) in effects { lastCallNumber = number }
    for case .call(_, .start(let number)?) in effects { lastCallNumber = number }
    return effects
  }

  /// Lets time pass, and wakes the session whenever it wants to be woken.
  mutating func advance(by duration: Duration) -> [Effect] {
    let end = now.advanced(by: duration)
    var effects: [Effect] = []
    while let due = session.nextWake, due <= end {
      now = max(now, due)
      effects += handle(.timerFired)
    }
    now = end
    return effects
  }

  static func continuous(
    _ accuracy: Double, distance: Double = 0, interval: Duration = .zero
  ) -> Demand {
    .continuous(Demand.Continuous(accuracy: accuracy, distanceFilter: distance, interval: interval))
  }

  // MARK: Service events

  mutating func grantClient() -> [Effect] {
    handle(
      .reply(.client(lastCallNumber), .success(BusReply(sender: Self.service, values: [.path(Self.client)]))))
  }

  mutating func confirmStart() -> [Effect] {
    handle(.reply(.start(lastCallNumber), .success(BusReply(sender: Self.service, values: []))))
  }

  mutating func refuseStart(_ name: String, _ message: String = "") -> [Effect] {
    handle(.reply(.start(lastCallNumber), .failure(DBusError(name, message))))
  }

  mutating func failClient(_ name: String, _ message: String = "") -> [Effect] {
    handle(.reply(.client(lastCallNumber), .failure(DBusError(name, message))))
  }

  mutating func sendLocationUpdate(to path: String = client + "/Location/1", by sender: String = service)
    -> [Effect]
  {
    handle(
      .signal(
        BusSignal(
          sender: sender, path: Self.client, interface: "org.freedesktop.GeoClue2.Client",
          member: "LocationUpdated", values: [.path("/"), .path(path)])))
  }

  mutating func replyWithLocation(_ properties: BusValue) -> [Effect] {
    handle(.reply(.location, .success(BusReply(sender: Self.service, values: [properties]))))
  }

  mutating func changeOwner(_ owner: String) -> [Effect] {
    handle(
      .signal(
        BusSignal(
          sender: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
          member: "NameOwnerChanged",
          values: [.text("org.freedesktop.GeoClue2"), .text(Self.service), .text(owner)])))
  }

  mutating func setActive(_ isActive: Bool) -> [Effect] {
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
  static func running(_ demand: Demand = continuous(10)) -> ServiceSessionScenario {
    var play = ServiceSessionScenario()
    play.handle(.demand(demand))
    _ = play.grantClient()
    _ = play.confirmStart()
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

extension [GeoClueSession.Effect] {
  /// The forwarded signals.
  var signals: [SourceSignal] { compactMap { if case .emit(let signal) = $0 { signal } else { nil } } }

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
    signals.compactMap { if case .authorization(let authorization) = $0 { authorization } else { nil } }
  }

  var problemCodes: [SourceProblem.Code] {
    signals.compactMap { if case .unavailable(let problem) = $0 { problem.code } else { nil } }
  }

  var fixes: [Fix] {
    signals.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
}
