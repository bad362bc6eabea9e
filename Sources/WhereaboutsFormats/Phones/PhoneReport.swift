public import WhereaboutsModel

/// The content of a request of a phone or tracker.
///
/// All rows are kept in the order of the request: also those of one instant, late ones and ones from the future.
public struct PhoneReport: Hashable, Sendable {
  /// The names by which the device states itself; `nil` for a name that it does not state.
  public struct Identity: Hashable, Sendable {
    /// The user's name.
    public var user: String?
    /// The device's name or id.
    public var device: String?
    /// The two characters with which OwnTracks marks a device on a map.
    public var trackerID: String?
    /// The display name of an OwnTracks card.
    public var displayName: String?

    /// Creates an empty value without names.
    public init() {}
  }

  /// The number of rejections and ignored values that are kept; further ones are only counted.
  public static let maxSamples = 1000

  /// The dialect.
  public let dialect: PhoneDialect
  /// The names by which the device states itself. A token decides which device it is.
  public var identity = Identity()
  /// The positions, in order.
  public var fixes: [PhoneFix] = []
  /// A position that is newer than those of the batch and is sent again in a later one: Overland's `current`; `nil` if
  /// there is none.
  public var current: PhoneFix?
  /// The crossings that the app judged, in order.
  public var transitions: [PhoneTransition] = []
  /// The app's regions, in order.
  public var waypoints: [PhoneWaypoint] = []
  /// The stays that the app judged, in order.
  public var visits: [PhoneVisit] = []
  /// The trips that a person started in the app.
  public var trips: [PhoneTrip] = []
  /// The battery as stated last; `nil` if none is stated.
  public var battery: PhoneBattery?
  /// The time of ``battery``; `nil` if its message states none.
  public var batteryTime: UTCTime?
  /// The device that the message of ``battery`` states; `nil` if the message states none.
  public internal(set) var batteryDevice: String?
  /// The name of the zone that the device is in, of a message without a position; `nil` if none is stated.
  public var zoneName: String?
  /// The encrypted messages, in order.
  public var ciphertexts: [PhoneCiphertext] = []
  /// The messages without a position, counted by their type.
  public internal(set) var otherMessages = SkippedElements()
  /// The rows that could not be read, in order: the first ``maxSamples``.
  public internal(set) var rejections: [PhoneRejection] = []
  /// The number of all rows that could not be read.
  public internal(set) var rejectionCount = 0
  /// The values that were ignored in rows that were read: the first ``maxSamples``.
  public internal(set) var ignoredValues: [PhoneIgnoredValue] = []
  /// The number of all ignored values.
  public internal(set) var ignoredValueCount = 0
  /// Whether a speed was read whose unit differs between apps, and neither ``PhoneSettings/speedUnit`` nor the request
  /// shows it.
  public internal(set) var hasAmbiguousSpeed = false
  /// The reason of an ignored speed that no vehicle reaches.
  static let impossibleSpeed = "is faster than any vehicle"
  /// Whether such a speed was ignored, which readers of files count.
  var hasImpossibleSpeed: Bool { ignoredValues.contains { $0.reason == Self.impossibleSpeed } }
  /// The messages of Home Assistant's app that want more than an empty answer.
  var webhookQuestions: [WebhookQuestion] = []

  init(_ dialect: PhoneDialect) { self.dialect = dialect }

  /// A message of Home Assistant's app that wants a certain answer.
  enum WebhookQuestion: Hashable, Sendable {
    case zones
    case configuration
    case registration
    case sensors([String])
  }

  /// Removes fixes that could be read and can't be used, counts them as rejected, and returns them.
  package mutating func rejectFixes(where isUnusable: (PhoneFix) -> Bool) -> [PhoneFix] {
    let unusable = fixes.filter(isUnusable)
    guard !unusable.isEmpty else { return [] }
    fixes.removeAll(where: isUnusable)
    rejectionCount += unusable.count
    return unusable
  }

  /// Returns the positions and the rejected rows by the device that they state, in the order of the devices' first
  /// ones, the positions before the rejected rows.
  ///
  /// The first part is the report without the rows of other devices, perhaps without any position; its device is `nil`.
  /// The battery of the report belongs to the device that its message states, perhaps as a part with nothing else. A
  /// report without rows of other devices is the only part.
  ///
  /// - Parameter name: the name of the device to which rows without a stated device belong.
  package func partsByDevice(of name: String) -> [(device: String?, report: PhoneReport)] {
    func isOther(_ device: String?) -> Bool { device.map { DeviceID($0) != DeviceID(name) } ?? false }
    let hasOthersBattery = battery != nil && isOther(batteryDevice)
    guard
      hasOthersBattery || fixes.contains(where: { isOther($0.device) })
        || rejections.contains(where: { isOther($0.device) })
    else { return [(device: nil, report: self)] }
    var first = self
    first.fixes.removeAll { isOther($0.device) }
    first.rejections.removeAll { isOther($0.device) }
    first.rejectionCount -= rejections.count - first.rejections.count
    if hasOthersBattery { first.battery = nil }
    var parts: [(device: String?, report: PhoneReport)] = [(device: nil, report: first)]
    var places: [DeviceID: Int] = [:]
    func index(of device: String) -> Int {
      let id = DeviceID(device)
      if let place = places[id] { return place }
      places[id] = parts.count
      var report = PhoneReport(dialect)
      report.hasAmbiguousSpeed = hasAmbiguousSpeed
      parts.append((device: device, report: report))
      return parts.count - 1
    }
    for fix in fixes {
      guard let device = fix.device, isOther(device) else { continue }
      let place = index(of: device)
      parts[place].report.fixes.append(fix)
    }
    for rejection in rejections {
      guard let device = rejection.device, isOther(device) else { continue }
      let place = index(of: device)
      parts[place].report.rejections.append(rejection)
      parts[place].report.rejectionCount += 1
    }
    if hasOthersBattery, let device = batteryDevice {
      let place = index(of: device)
      parts[place].report.battery = battery
      parts[place].report.batteryTime = batteryTime
      parts[place].report.batteryDevice = device
    }
    return parts
  }
}
