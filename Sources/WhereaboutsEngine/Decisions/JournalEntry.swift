public import WhereaboutsModel

/// The journal's record of one engine call.
public struct JournalEntry: Hashable, Sendable {
  /// The moment of the call.
  public var moment: Moment
  /// The input of the call.
  public var input: Input
  /// A digest of the call's effects; `nil` where there were none.
  public var digest: UInt64?

  /// Creates an entry.
  public init(moment: Moment, input: Input, digest: UInt64?) {
    self.moment = moment
    self.input = input
    self.digest = digest
  }
}

/// The header of a journal: all data needed to run the engine again.
public struct JournalHeader: Hashable, Sendable {
  /// The version of the format that is written; older versions can be read.
  public static let currentVersion = 1

  /// The settings of the engine.
  public var settings: EngineSettings
  /// The beginning of the journal on the host's wall clock; `nil` where the host did not know the time.
  public var began: UTCTime?

  /// Creates a header.
  public init(settings: EngineSettings, began: UTCTime?) {
    self.settings = settings
    self.began = began
  }
}
