/// A device's identity for a server.
public struct UploadIdentity: Hashable, Sendable, Codable {
  /// The device's user, for OwnTracks alone. OwnTracks' Recorder makes the name lower case.
  public var user: String
  /// The device: the second part of OwnTracks' topic, the `device_id` or `id` of the others.
  public var device: String
  /// Two characters with which OwnTracks marks the device.
  public var trackerID: String

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - device: the device's name, not empty.
  ///   - user: the user's name, `whereabouts` by default.
  ///   - trackerID: one or two characters (Unicode scalars); by default the last two of the device, as in OwnTracks.
  public init(device: String, user: String = "whereabouts", trackerID: String? = nil) {
    self.device = device
    self.user = user
    // One visible character may consist of many scalars.
    let characters = trackerID?.unicodeScalars.prefix(2) ?? device.unicodeScalars.suffix(2)
    self.trackerID = String(String.UnicodeScalarView(characters))
  }

  /// The device's OwnTracks topic.
  var topic: String { "owntracks/\(user)/\(device)" }

  /// Percent-encodes the characters of the device's name that can be no part of a topic, and the percent sign, so that
  /// different names stay different.
  package mutating func encodeDeviceForTopics() {
    var bytes: [UInt8] = []
    for byte in device.utf8 {
      if byte <= 0x20 || byte == 0x7F || "/+#%".utf8.contains(byte) {
        bytes.appendPercentEncoded(byte)
      } else {
        bytes.append(byte)
      }
    }
    device = String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the reason why a template can't send this identity, as the end of "the device …"; `nil` if it can.
  public func problem(in template: UploadTemplate) -> String? {
    guard !device.isEmpty else { return "has no name" }
    guard template == .owntracks else { return nil }
    for (name, what) in [(device, "name"), (user, "user")] {
      if name.isEmpty { return "has no \(what)" }
      // Topics and header fields contain the name.
      let isTopical = name.unicodeScalars.allSatisfy { !"/+#".unicodeScalars.contains($0) && $0.value > 0x20 }
      if !isTopical {
        return "has a \(what) that can be no part of a topic: '/', '+', '#' and spaces can't be in it"
      }
    }
    return nil
  }
}
