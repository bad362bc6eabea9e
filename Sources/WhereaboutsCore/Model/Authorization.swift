/// Whether the program may know where the device is.
///
/// One model for every platform: on Apple's it is the person's answer to the prompt, on Linux what stands between the
/// process and its source (a location service's agent, the group that a serial port belongs to, a file's mode).
public struct Authorization: Hashable, Sendable, Codable {
  /// Whether fixes may be had.
  public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nobody has been asked yet, or the question is still open.
    case notDetermined = "not determined"
    /// The person, or the owner of the device that delivers the fixes, said no.
    case denied
    /// Something that the person can't change says no, such as parental controls or a profile.
    case restricted
    /// Location is switched off for the whole device.
    case servicesDisabled = "services disabled"
    /// Fixes may be had while the program is in use.
    case whenInUse = "when in use"
    /// Fixes may be had at any time.
    case always
  }

  /// How exact the fixes may be.
  public enum Accuracy: String, Hashable, Sendable, Codable, CaseIterable {
    /// As exact as the source can.
    case full
    /// Some kilometres only: requests for more will run into their timeouts.
    case reduced
  }

  /// What a person can be asked for.
  public enum Level: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// Fixes while the program is in use.
    case whenInUse = "when in use"
    /// Fixes at any time.
    case always

    /// Whether the one allows less than the other.
    public static func < (left: Self, right: Self) -> Bool { left == .whenInUse && right == .always }
  }

  /// Whether fixes may be had.
  public var status: Status
  /// How exact they may be; says nothing where there are none.
  public var accuracy: Accuracy
  /// Whether the source tells when this changes. Where it does not, as with a file's mode, whoever asks next for
  /// something makes it look again.
  public var noticesChanges: Bool
  /// What a person can do to be allowed, as a sentence; `nil` where there is nothing to do or nothing is known.
  public var remedy: String?

  /// An authorization.
  public init(
    _ status: Status, accuracy: Accuracy = .full, noticesChanges: Bool = true, remedy: String? = nil
  ) {
    self.status = status
    self.accuracy = accuracy
    self.noticesChanges = noticesChanges
    self.remedy = remedy
  }

  /// Whether fixes may be had.
  public var isAllowed: Bool {
    switch status {
    case .whenInUse, .always: true
    case .notDetermined, .denied, .restricted, .servicesDisabled: false
    }
  }

  /// Whether there is an answer, and it is no.
  public var isRefused: Bool { status != .notDetermined && !isAllowed }
}
