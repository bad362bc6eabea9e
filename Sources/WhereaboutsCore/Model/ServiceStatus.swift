/// How things stand between the program and its source.
public struct ServiceStatus: Hashable, Sendable, Codable {
  /// Whether headings can be had.
  public enum HeadingAvailability: Hashable, Sendable, Codable {
    /// None has come yet, and nobody said that none will.
    case unknown
    /// There have been some.
    case available
    /// There is no compass, or none that can be read.
    case unavailable(SourceTrouble)
  }

  /// Whether the source delivers.
  public enum Source: Hashable, Sendable, Codable {
    /// It does, as far as is known, or has not been asked yet.
    case working
    /// It does not for now, and goes on trying.
    case unavailable(SourceTrouble)
    /// It has given up until it is asked again: by the next request or subscription; and by itself, where somebody still
    /// needs it, after 10 s and then after pauses that double up to 10 min.
    case failed(SourceTrouble)
    /// It was of finite length and has told all it had; the trouble it ended with, if any.
    case ended(SourceTrouble?)
  }

  /// Whether fixes may be had, and how exact.
  public var authorization: Authorization
  /// Whether headings can be had.
  public var headings: HeadingAvailability
  /// Whether the source delivers.
  public var source: Source
  /// How each source is doing, the best first, where the source is made of several; else empty.
  public var sources: [SourceHealth] = []

  /// A status.
  public init(
    authorization: Authorization, headings: HeadingAvailability = .unknown, source: Source = .working
  ) {
    self.authorization = authorization
    self.headings = headings
    self.source = source
  }
}
