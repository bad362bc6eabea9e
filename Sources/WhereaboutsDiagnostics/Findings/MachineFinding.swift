/// A finding about the machine.
public struct MachineFinding: Equatable, Sendable {
  /// The assessment of a finding.
  public enum State: String, Sendable {
    /// All is well.
    case good
    /// Something is unusual, and may explain a missing or a wrong fix.
    case odd
    /// Something fails.
    case bad
  }

  /// The subject: `clock`, `power`, `compass` or `store`.
  public var name: String
  /// The assessment.
  public var state: State
  /// The finding, a fragment of a sentence.
  public var text: String
  /// The remedy, as a sentence; `nil` if none is needed.
  public var remedy: String?
}
