public import WhereaboutsEngine
public import WhereaboutsModel

/// A journal of every input of an engine, so that a run can be replayed.
///
/// The manager's loop owns its journal and calls the methods in order, ``begin(_:)`` first.
/// ``write(_:at:effects:)`` follows for each input, after the engine has processed the input and *before* any effect is
/// carried out. A killed program has therefore done nothing that its journal does not explain.
///
/// A journal that throws is not called again. The manager continues without the journal and reports the failure once,
/// as ``Decision/journalStopped(_:)``.
public protocol InputJournal: Sendable {
  /// Writes the header, which holds the data for a replay of the engine.
  mutating func begin(_ header: JournalHeader) throws(SourceProblem)

  /// Writes one input of the engine.
  ///
  /// - Parameters:
  ///   - input: the input.
  ///   - now: the time of the input.
  ///   - effects: the engine's effects.
  mutating func write(_ input: Input, at now: Moment, effects: [Effect]) throws(SourceProblem)
}

extension SourceProblem.Code {
  /// The code of a file that can't be created or written.
  public static let unwritable = SourceProblem.Code(rawValue: "unwritable")
}
