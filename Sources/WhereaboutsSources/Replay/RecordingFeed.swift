public import WhereaboutsFormats

/// A recording being read, some elements at a time.
public protocol RecordingFeed {
  /// Replaces the elements with the next ones; there may be none of them before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: where the recording can't be read on; a `SourceTrouble` is passed on as it is.
  mutating func read(into elements: inout [RecordingElement]) throws -> Bool
}

/// A recording that is wholly in memory.
public struct RecordingInMemory: RecordingFeed, Sendable {
  private var rest: [RecordingElement]?

  /// A recording of these elements.
  public init(_ elements: [RecordingElement]) {
    rest = elements
  }

  /// Gives all elements at once.
  public mutating func read(into elements: inout [RecordingElement]) -> Bool {
    elements = rest ?? []
    defer { rest = nil }
    return rest != nil
  }
}
