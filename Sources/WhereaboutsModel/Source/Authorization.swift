/// The program's authorization to know the device's location.
///
/// One model serves every platform. On Apple's, the authorization is the user's answer to the prompt. On Linux, it is
/// the process's access to its source: a location service's agent, a serial port's group, a file's mode.
public struct Authorization: Hashable, Sendable, Codable {
  /// The status of the authorization.
  public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
    /// No answer has been given yet.
    case notDetermined = "not determined"
    /// The user, or the owner of the device that delivers the fixes, refused.
    case denied
    /// A restriction that the user can't change forbids fixes, such as parental controls or a profile.
    case restricted
    /// Location is switched off for the whole device.
    case servicesDisabled = "services disabled"
    /// Fixes are allowed while the program is in use.
    case whenInUse = "when in use"
    /// Fixes are allowed at any time.
    case always
  }

  /// The accuracy that is authorized.
  public enum Accuracy: String, Hashable, Sendable, Codable, CaseIterable {
    /// The full accuracy of the source.
    case full
    /// Some kilometres only: requests for more will run into their timeouts.
    case reduced
  }

  /// The level of authorization that a user can be asked for.
  public enum Level: String, Hashable, Comparable, Sendable, Codable, CaseIterable {
    /// Fixes while the program is in use.
    case whenInUse = "when in use"
    /// Fixes at any time.
    case always

    /// Returns whether the left level allows less than the right.
    public static func < (left: Self, right: Self) -> Bool { left == .whenInUse && right == .always }
  }

  /// The status of the authorization.
  public var status: Status
  /// The authorized accuracy; meaningless where no fixes are allowed.
  public var accuracy: Accuracy
  /// Whether the source reports changes of the authorization. Where it does not, as with a file's mode, each new
  /// request makes the source check again.
  public var noticesChanges: Bool
  /// The action by which a person can allow fixes, as a sentence; `nil` where there is none or it is unknown.
  public var remedy: String?

  /// Creates an authorization.
  public init(
    _ status: Status, accuracy: Accuracy = .full, noticesChanges: Bool = true, remedy: String? = nil
  ) {
    self.status = status
    self.accuracy = accuracy
    self.noticesChanges = noticesChanges
    self.remedy = remedy
  }

  /// Whether fixes are allowed.
  public var isAllowed: Bool {
    switch status {
    case .whenInUse, .always: true
    case .notDetermined, .denied, .restricted, .servicesDisabled: false
    }
  }

  /// Whether fixes are refused; `false` while there is no answer.
  public var isRefused: Bool { status != .notDetermined && !isAllowed }
}
