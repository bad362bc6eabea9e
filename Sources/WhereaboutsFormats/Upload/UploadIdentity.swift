/// Who a device is to a server.
public struct UploadIdentity: Hashable, Sendable, Codable {
  /// Whose device it is, for OwnTracks alone. The Recorder makes it lower case.
  public var user: String
  /// The device: the second part of OwnTracks' topic, the `device_id` or `id` of the others.
  public var device: String
  /// Two characters by which OwnTracks shows the device.
  public var trackerID: String

  /// An identity.
  ///
  /// - Parameters:
  ///   - device: not empty.
  ///   - user: `whereabouts` where nothing else is said.
  ///   - trackerID: one or two characters (Unicode scalars); the last two of the device where nothing else is said, as
  ///     OwnTracks does.
  public init(device: String, user: String = "whereabouts", trackerID: String? = nil) {
    self.device = device
    self.user = user
    // What people see as one character may be many.
    let characters = trackerID?.unicodeScalars.prefix(2) ?? device.unicodeScalars.suffix(2)
    self.trackerID = String(String.UnicodeScalarView(characters))
  }

  /// The topic that OwnTracks would publish under.
  var topic: String { "owntracks/\(user)/\(device)" }

  /// Why this can't be sent in a template, as the end of "the device …"; `nil` where it can.
  public func problem(in template: UploadTemplate) -> String? {
    guard !device.isEmpty else { return "has no name" }
    guard template == .owntracks else { return nil }
    for (name, what) in [(device, "name"), (user, "user")] {
      if name.isEmpty { return "has no \(what)" }
      // Topics are made of it, and header fields.
      let isTopical = name.unicodeScalars.allSatisfy { !"/+#".unicodeScalars.contains($0) && $0.value > 0x20 }
      if !isTopical {
        return "has a \(what) that can be no part of a topic: '/', '+', '#' and spaces can't be in it"
      }
    }
    return nil
  }
}
