public import WhereaboutsCore

/// Where a manager writes down every input of its engine, so that the run can be gone through again.
///
/// The manager's loop alone owns its journal and calls it, in order: first ``begin(_:)``, then ``write(_:at:effects:)``
/// for each input after the engine has judged it and *before* any of the effects is carried out. So a program that
/// is killed has not done anything that its journal does not explain.
///
/// A journal that throws is not called again. The manager goes on without it and says so once, as
/// ``Decision/journalStopped(_:)``.
public protocol InputJournal: Sendable {
  /// Writes what an engine must know to be run again.
  mutating func begin(_ header: JournalHeader) throws(SourceTrouble)

  /// Writes one call of the engine.
  ///
  /// - Parameters:
  ///   - input: what the engine was given.
  ///   - now: when.
  ///   - effects: what it made of it.
  mutating func write(_ input: Input, at now: Moment, effects: [Effect]) throws(SourceTrouble)
}

extension SourceTrouble.Code {
  /// A file that can't be made or written.
  public static let unwritable = SourceTrouble.Code(rawValue: "unwritable")
}
