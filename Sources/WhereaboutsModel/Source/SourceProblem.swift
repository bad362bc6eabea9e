/// The reason why a source does not deliver.
public struct SourceProblem: Error, Hashable, Sendable, Codable {
  /// The kind of problem; new kinds may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// A stable name.
    public let rawValue: String
    /// Creates the code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No satellites, no network: the source works but has no position.
    public static let noPosition = Code(rawValue: "no-position")
    /// The source of the fixes can't be reached.
    public static let unreachable = Code(rawValue: "unreachable")
    /// There is no receiver: none is plugged in, or the daemon has none.
    public static let noReceiver = Code(rawValue: "no-receiver")
    /// Another program uses the receiver, which only one program can use.
    public static let inUse = Code(rawValue: "in-use")
    /// The source is silent although data is expected.
    public static let silent = Code(rawValue: "silent")
    /// The data is not in the expected format, such as at the wrong speed of a serial line.
    public static let notUnderstood = Code(rawValue: "not-understood")
    /// The source can never work as configured: a folder in place of a device, a speed that no line has.
    public static let unusable = Code(rawValue: "unusable")
    /// A recording that can't be opened or read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The user or the system does not allow access.
    public static let notPermitted = Code(rawValue: "not-permitted")
    /// The device has no compass.
    public static let noCompass = Code(rawValue: "no-compass")
  }

  /// The kind of problem.
  public var code: Code
  /// The description of the problem, to finish "could not …"; never a coordinate.
  public var message: String
  /// The remedy for a person, as a sentence; `nil` where the message is enough.
  public var remedy: String?

  /// Creates a problem with its remedy in words.
  public init(_ code: Code, message: String, remedy: String? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}
