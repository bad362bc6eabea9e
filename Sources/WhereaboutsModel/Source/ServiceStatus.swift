/// The status of the location service: authorization, headings and source.
public struct ServiceStatus: Hashable, Sendable, Codable {
  /// The availability of headings.
  public enum HeadingAvailability: Hashable, Sendable, Codable {
    /// No heading has arrived yet, and none has been ruled out.
    case unknown
    /// Headings have arrived.
    case available
    /// The device has no compass, or none that can be read.
    case unavailable(SourceProblem)
  }

  /// The state of the source's delivery.
  public enum Source: Hashable, Sendable, Codable {
    /// The source delivers, as far as is known, or has received no demand yet.
    case working
    /// The source does not deliver for now, and keeps trying.
    case unavailable(SourceProblem)
    /// The source has given up. The next request or subscription makes it retry. While it is needed, the engine also
    /// retries after 10 s and then after pauses that double up to 10 min.
    case failed(SourceProblem)
    /// The source was of finite length and has ended, with its last problem, if any.
    case ended(SourceProblem?)
  }

  /// The authorization for fixes, and its accuracy.
  public var authorization: Authorization
  /// The availability of headings.
  public var headings: HeadingAvailability
  /// The state of the source's delivery.
  public var source: Source
  /// The health of each source, the best first, where the source combines several; else empty.
  public var sources: [SourceHealth] = []

  /// Creates a status.
  public init(
    authorization: Authorization, headings: HeadingAvailability = .unknown, source: Source = .working
  ) {
    self.authorization = authorization
    self.headings = headings
    self.source = source
  }
}
