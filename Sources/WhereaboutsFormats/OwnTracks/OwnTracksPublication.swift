package import WhereaboutsGeodesy
package import WhereaboutsModel

/// The messages by which OwnTracks' apps and other readers of a broker show a device.
///
/// Numbers are whole; zeros are left out, as in the apps.
///
/// - Source: the booklet of OwnTracks (https://owntracks.org/booklet/tech/json/).
package struct OwnTracksPublication: Hashable, Sendable {
  /// A fence as these messages name it.
  package struct Region: Hashable, Sendable {
    package var id: FenceID
    package var name: String?

    package init(id: FenceID, name: String?) {
      self.id = id
      self.name = name
    }

    fileprivate var text: String { name ?? id.name }
  }

  /// A crossing.
  package struct Crossing: Hashable, Sendable {
    package var id: FenceEvent.ID
    package var isEntering: Bool
    package var region: Region
    package var time: UTCTime
    package var place: Coordinate
    /// The radius of 68 % in metres; `nil` if unknown.
    package var accuracy: Double?

    package init(
      id: FenceEvent.ID, isEntering: Bool, region: Region, time: UTCTime, place: Coordinate, accuracy: Double?
    ) {
      self.id = id
      self.isEntering = isEntering
      self.region = region
      self.time = time
      self.place = place
      self.accuracy = accuracy
    }
  }

  /// The device's name for people.
  package var name: String
  /// The two characters that mark the device on a map: the last two of the topic, as in the apps.
  package var trackerID: String

  /// - Parameters:
  ///   - name: the device's name for people.
  ///   - level: the device's level of the topic.
  package init(name: String, level: String) {
    self.name = name
    trackerID = UploadIdentity(device: level).trackerID
  }

  /// Returns the message of a position; `nil` without a time.
  ///
  /// - Parameters:
  ///   - regions: the fences that the device is in.
  ///   - battery: the battery as stated last; `nil` if unknown.
  package func location(_ fix: Fix, regions: [Region], battery: PhoneBattery?) -> [UInt8]? {
    guard let time = fix.time else { return nil }
    var bytes: [UInt8] = []
    bytes.appendJSONObject {
      $0.appendJSONMember("_type", text: "location")
      $0.appendJSONMember("tid", trackerID)
      $0.appendJSONCoordinate(Self.rounded(fix.coordinate))
      $0.appendJSONMember("tst", time.wholeSeconds)
      $0.appendOwnTracksMembers(of: fix)
      $0.appendJSONMemberUnlessZero("batt", battery?.level.flatMap { ($0 * 100).whole })
      if let isCharging = battery?.isCharging { $0.appendJSONMember("bs", isCharging ? 2 : 1) }
      $0.appendJSONMember("inregions", regions) { $0.appendJSONString($1.text) }
      $0.appendJSONMember("inrids", regions) { $0.appendJSONString($1.id.name) }
    }
    return bytes
  }

  /// Returns the message of a crossing. Its `_id` is the same when it is published again.
  package func transition(_ crossing: Crossing) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSONObject {
      $0.appendJSONMember("_type", text: "transition")
      $0.appendJSONMember("tid", trackerID)
      $0.appendJSONMember("event", text: crossing.isEntering ? "enter" : "leave")
      $0.appendJSONMember("wtst", UploadEncoder.waypoint(crossing.region.id))
      $0.appendJSONMember("tst", crossing.time.wholeSeconds)
      // Required: 0 stands for unknown.
      $0.appendJSONMember("acc", crossing.accuracy?.wholeAccuracy ?? 0)
      $0.appendJSONCoordinate(Self.rounded(crossing.place))
      $0.appendJSONMember("desc", crossing.region.text)
      $0.appendJSONMember("rid", crossing.region.id.name)
      $0.appendJSONMember("t", text: "l")
      $0.appendJSONMember("_id", "crossing-\(crossing.id.number)")
    }
    return bytes
  }

  /// The message that names the device.
  package var card: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendJSONObject {
      $0.appendJSONMember("_type", text: "card")
      $0.appendJSONMember("tid", trackerID)
      $0.appendJSONMember("name", name)
    }
    return bytes
  }

  /// Returns a place rounded to about a centimetre.
  private static func rounded(_ place: Coordinate) -> Coordinate {
    func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
    return Coordinate(latitude: rounded(place.latitude), longitude: rounded(place.longitude)) ?? place
  }
}
