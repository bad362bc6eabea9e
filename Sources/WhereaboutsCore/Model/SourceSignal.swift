/// What a source tells the engine.
public enum SourceSignal: Hashable, Sendable, Codable {
  /// A position, and how its age is to be told.
  case fix(Fix, age: AgeRule)
  /// Where the device points.
  case heading(Heading)
  /// There is no compass, or none that can be read: no heading will come.
  case headingsUnavailable(SourceTrouble)
  /// Whether fixes may be had changed, or became known.
  case authorization(Authorization)
  /// What the receiver sees.
  case satellites(SatellitesInView)
  /// The receiver was off or without a fix until now: what comes next does not continue what came before.
  case segmentBegan
  /// The source can't deliver for now and goes on trying: no sky, no daemon yet, unplugged.
  case unavailable(SourceTrouble)
  /// The source can't deliver and has given up until something outside changes.
  case failed(SourceTrouble)
  /// How each of the sources is doing that this one is made of, the best first; ``SourceHealth/since`` is for the engine
  /// to say.
  case sources([SourceHealth])
  /// A source of finite length has told all it had.
  case ended
}

/// How the age of a fix is counted.
public enum AgeRule: String, Hashable, Sendable, Codable {
  /// The source hands fixes over as they are made: age counts from arrival, on the monotonic clock. A wrong or
  /// stepped wall clock changes nothing.
  case sinceArrival
  /// The source may hand over a fix made earlier: age is wall time minus fix time.
  case sinceFixTime
}

/// Why a source does not deliver.
public struct SourceTrouble: Error, Hashable, Sendable, Codable {
  /// What kind of trouble; new kinds may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// A stable name.
    public let rawValue: String
    /// The code of that name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No satellites, no network: the source works but has no position.
    public static let noPosition = Code(rawValue: "no-position")
    /// Whatever delivers the fixes can't be reached.
    public static let unreachable = Code(rawValue: "unreachable")
    /// There is nothing to receive with: none is plugged in, or the daemon has none.
    public static let noReceiver = Code(rawValue: "no-receiver")
    /// Another program has what can be used by one only.
    public static let inUse = Code(rawValue: "in-use")
    /// Nothing comes although it should.
    public static let silent = Code(rawValue: "silent")
    /// What comes is not what it should be, such as at the wrong speed of a serial line.
    public static let notUnderstood = Code(rawValue: "not-understood")
    /// It can never work as it was asked for: a folder in place of a device, a speed that no line has.
    public static let unusable = Code(rawValue: "unusable")
    /// A recording that can't be opened or read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The person or the system does not allow it.
    public static let notPermitted = Code(rawValue: "not-permitted")
    /// There is nothing that tells where the device points.
    public static let noCompass = Code(rawValue: "no-compass")
  }

  /// What kind of trouble.
  public var code: Code
  /// What is wrong, to finish "could not …"; never a coordinate.
  public var message: String
  /// What a person can do about it, as a sentence; `nil` where the message says it all.
  public var remedy: String?

  /// A trouble and its remedy in words.
  public init(_ code: Code, message: String, remedy: String? = nil) {
    self.code = code
    self.message = message
    self.remedy = remedy
  }
}
