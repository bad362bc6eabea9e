public import WhereaboutsFormats

/// A recording that is read some elements at a time.
public protocol RecordingFeed {
  /// Replaces the elements with the next ones, which may be none before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: any error if reading fails; a `SourceProblem` is passed on unchanged.
  mutating func read(into elements: inout [RecordingElement]) throws -> Bool
}

/// A recording in memory.
public struct InMemoryRecording: RecordingFeed, Sendable {
  private var remainingElements: [RecordingElement]?

  /// Creates a recording of these elements.
  public init(_ elements: [RecordingElement]) {
    remainingElements = elements
  }

  /// Returns all elements at once.
  public mutating func read(into elements: inout [RecordingElement]) -> Bool {
    elements = remainingElements ?? []
    defer { remainingElements = nil }
    return remainingElements != nil
  }
}
