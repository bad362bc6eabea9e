public import WhereaboutsCore

/// Elements of a recording in, its bytes out, as the elements come.
///
/// A writer is a value that holds no file: it appends to an array that the caller writes out and empties. Its memory
/// does not grow with the length of the recording. Call ``finish(to:)`` once, after the last element; what it appends
/// makes the output whole.
public protocol RecordingWriter {
  /// Appends one element's text. What the format has no place for is left out; each writer says what that is.
  mutating func write(_ element: RecordingElement, to bytes: inout [UInt8])

  /// What was left out so far, by kind.
  var omissions: Omissions { get }

  /// Appends what closes the recording.
  mutating func finish(to bytes: inout [UInt8])
}

extension RecordingWriter {
  /// Appends one fix's text.
  public mutating func write(_ fix: Fix, to bytes: inout [UInt8]) {
    write(.fix(fix), to: &bytes)
  }
}
