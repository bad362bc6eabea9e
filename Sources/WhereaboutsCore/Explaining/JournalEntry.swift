/// One call of an engine, as a journal keeps it.
public struct JournalEntry: Hashable, Sendable {
  /// When the engine was called.
  public var moment: Moment
  /// What it was given.
  public var input: Input
  /// A digest of what it made of it; `nil` where that was nothing.
  public var digest: UInt64?

  /// An entry.
  public init(moment: Moment, input: Input, digest: UInt64?) {
    self.moment = moment
    self.input = input
    self.digest = digest
  }
}

/// What a journal begins with: all that an engine must know to be run again.
public struct JournalHeader: Hashable, Sendable {
  /// The version of the form that is written; older ones are read.
  public static let currentVersion = 1

  /// What the engine was made with.
  public var settings: EngineSettings
  /// When the journal began, on the host's wall clock; `nil` where the host did not know.
  public var began: UTCTime?

  /// A header.
  public init(settings: EngineSettings, began: UTCTime?) {
    self.settings = settings
    self.began = began
  }
}
