public import WhereaboutsGeodesy
public import WhereaboutsModel

/// The findings about one source.
public struct SourceFinding: Equatable, Sendable {
  /// The state of a source.
  public enum State: String, CaseIterable, Sendable {
    /// The source delivers fixes.
    case delivers
    /// The source works, but has no position.
    case noFix = "no fix"
    /// This program may not use the source.
    case denied
    /// Another program uses the source.
    case inUse = "in use"
    /// The source sends data in no known format.
    case notUnderstood = "not understood"
    /// The source can never work as given, for example a folder, or a device without output.
    case unusable
    /// The source is present, but sends nothing.
    case silent
    /// The source is not installed, not connected or not running.
    case absent
  }

  /// The fixes of a source without private details.
  public struct Delivery: Equatable, Sendable {
    /// The kind of the last fix; `nil` if unknown.
    public var mode: Fix.Mode?
    /// The radius in metres at 68 %; `nil` if unknown.
    public var accuracy: Double?
    /// Whether the accuracy was estimated instead of stated by the source.
    public var isAccuracyEstimated = false
    /// The time to the first fix.
    public var timeToFirstFix: Duration
    /// The number of fixes.
    public var fixCount: Int
    /// The position; `nil` unless requested.
    public var position: Coordinate?
  }

  /// The satellites that a receiver reports.
  public struct Satellites: Equatable, Sendable {
    /// The number of satellites in view.
    public var seen: Int
    /// The number of satellites used for a position.
    public var used: Int
    /// The strongest signal, in dB-Hz; `nil` if unknown.
    public var strongest: Double?
  }

  /// The name of the source: the argument for it on the command line. `whereabouts serve` for the source of a server of
  /// this machine, which commands use without an argument.
  public var name: String
  /// The state of the source.
  public var state: State
  /// Other facts about the source, each a fragment of a sentence.
  public var facts: [String] = []
  /// The satellites; `nil` if the source reports none.
  public var satellites: Satellites?
  /// The fixes; `nil` if there were none.
  public var delivery: Delivery?
  /// Whether the source delivers headings.
  public var hasHeading = false
  /// The reason why there is no fix, to complete "could not …"; `nil` if there is none.
  public var problem: SourceProblem?
  /// The remedy, as a sentence; `nil` if there is none.
  public var remedy: String?
}
