import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel

/// The content of a file of alerts, as it is written.
struct AlertFileContent: Decodable {
  private enum Key: String, CodingKey, CaseIterable { case groups, channels, alerts }

  var groups: [String: [FenceID]]
  var channels: [String: ChannelContent]
  var alerts: [AlertContent]

  init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    groups = try values.decodeIfPresent([String: [FenceID]].self, forKey: .groups) ?? [:]
    channels = try values.decode([String: ChannelContent].self, forKey: .channels)
    alerts = try values.decode([AlertContent].self, forKey: .alerts)
  }
}

/// A channel, as it is written.
struct ChannelContent: Decodable {
  private enum Key: String, CodingKey, CaseIterable {
    case webhook, command, secretFile, format, caFile, places, timeout, giveUpAfter
  }

  var webhook: String?
  var command: [String]?
  var secretFile: String?
  var format: NotificationChannel.Webhook.Format?
  var caFile: String?
  var places: PlaceSharing?
  var timeout: Duration?
  var giveUpAfter: Duration?

  init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    webhook = try values.decodeIfPresent(String.self, forKey: .webhook)
    command = try values.decodeIfPresent([String].self, forKey: .command)
    secretFile = try values.decodeIfPresent(String.self, forKey: .secretFile)
    format = try values.choice(.format)
    caFile = try values.decodeIfPresent(String.self, forKey: .caFile)
    places = try values.setting(.places, "zones, exact, or the size of a grid such as 500m") {
      PlaceSharing($0)
    }
    timeout = try values.duration(.timeout, in: .seconds(1)...(.seconds(3600)))
    giveUpAfter = try values.duration(.giveUpAfter, in: .seconds(60)...(.seconds(30 * 86_400)))
  }
}

/// A step of an alert, as it is written.
struct StepContent: Decodable {
  private enum Key: String, CodingKey, CaseIterable { case fences, events, within }

  var fences: [String]
  var events: Set<FenceEvent.Kind>
  var within: Duration?

  init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    fences = try values.decode([String].self, forKey: .fences)
    events = try values.kinds(.events)
    within = try values.duration(.within, in: .seconds(1)...(.seconds(30 * 86_400)))
  }
}

/// An alert, as it is written.
struct AlertContent: Decodable {
  private enum Key: String, CodingKey, CaseIterable {
    case name, devices, together, fences, events, steps, hours, quietHours, inQuietHours, coolDown,
      maximumAge, channels, corrections
  }

  private enum QuietHoursUse: String, Decodable, CaseIterable { case hold, drop }

  var name: String
  var devices: [DeviceID]?
  var together: Bool
  var fences: [String]?
  var events: Set<FenceEvent.Kind>?
  var steps: [StepContent]?
  var hours: ActiveHours?
  var quietHours: ActiveHours?
  var holdsInQuietHours: Bool
  var coolDown: Duration
  var maximumAge: Duration?
  var channels: [String]
  var corrections: Bool

  init(from decoder: any Decoder) throws {
    let values = try decoder.strictContainer(Key.self)
    name = try values.decode(String.self, forKey: .name)
    devices = try values.decodeIfPresent([DeviceID].self, forKey: .devices)
    together = try values.decodeIfPresent(Bool.self, forKey: .together) ?? false
    fences = try values.decodeIfPresent([String].self, forKey: .fences)
    events = values.contains(.events) ? try values.kinds(.events) : nil
    steps = try values.decodeIfPresent([StepContent].self, forKey: .steps)
    hours = try values.hours(.hours)
    quietHours = try values.hours(.quietHours)
    let use: QuietHoursUse? = try values.choice(.inQuietHours)
    holdsInQuietHours = use != .drop
    let day = Duration.seconds(86_400)
    coolDown = try values.duration(.coolDown, in: .zero...(day * 30)) ?? .zero
    maximumAge = try values.duration(.maximumAge, in: .seconds(1)...(day * 30))
    channels = try values.decode([String].self, forKey: .channels)
    corrections = try values.decodeIfPresent(Bool.self, forKey: .corrections) ?? false
  }
}

// MARK: - Values

/// Returns a duration as the file has it, in its greatest whole unit.
private func text(of duration: Duration) -> String {
  let seconds = duration.components.seconds
  let units: [(name: String, length: Int64)] = [("d", 86_400), ("h", 3600), ("m", 60)]
  guard seconds > 0, let unit = units.first(where: { seconds % $0.length == 0 }) else { return "\(seconds)s" }
  return "\(seconds / unit.length)\(unit.name)"
}

extension KeyedDecodingContainer {
  fileprivate func duration(_ key: Key, in range: ClosedRange<Duration>) throws -> Duration? {
    let limits = "from \(text(of: range.lowerBound)) to \(text(of: range.upperBound))"
    return try setting(key, "a time such as 30s, 15m or 2h, \(limits)") { $0.duration(in: range) }
  }

  fileprivate func hours(_ key: Key) throws -> ActiveHours? {
    let hours = try setting(key, "hours such as \"Mo-Fr 07:00-20:00 Europe/Berlin\"") {
      ActiveHours(text: $0.text)
    }
    guard var hours, let zone = hours.zone, !zone.isResolved else { return hours }
    do throws(TimeZoneRules.LookupError) { hours.zone = try TimeZoneRules(named: zone.name) } catch {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "\(error)")
    }
    return hours
  }

  fileprivate func kinds(_ key: Key) throws -> Set<FenceEvent.Kind> {
    let names = try decode([String].self, forKey: key), kinds = names.compactMap(FenceEvent.Kind.init)
    guard !names.isEmpty, kinds.count == names.count else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "This must be a list of enter, exit and dwell.")
    }
    return Set(kinds)
  }
}
