public import WhereaboutsModel

/// A writer of a recording: elements in, bytes out, element by element.
///
/// A writer is a value without a file: it appends to an array that the caller writes out and empties. Unless a writer
/// documents otherwise, its memory does not grow with the length of the recording. Call ``finish(to:)`` once, after the
/// last element, to complete the output.
public protocol RecordingWriter {
  /// Appends one element's text. Each writer documents the values that its format leaves out.
  mutating func write(_ element: RecordingElement, to bytes: inout [UInt8])

  /// Appends one fix's text, as the element of the fix would be. Only a writer for which that is faster has its own.
  mutating func write(_ fix: Fix, to bytes: inout [UInt8])

  /// The values and elements left out so far, by kind.
  var omissions: Omissions { get }

  /// Appends the end of the recording.
  mutating func finish(to bytes: inout [UInt8])
}

extension RecordingWriter {
  /// Appends one fix's text.
  public mutating func write(_ fix: Fix, to bytes: inout [UInt8]) {
    write(.fix(fix), to: &bytes)
  }

  /// Appends the text of elements until the bytes reach a limit.
  ///
  /// - Parameter start: the index of the first element.
  /// - Returns: the index of the next element.
  package mutating func write(
    _ elements: [RecordingElement], from start: Int, until limit: Int, to bytes: inout [UInt8]
  ) -> Int {
    var index = start
    while index < elements.count, bytes.count < limit {
      if case .fix(let fix) = elements[index] {
        write(fix, to: &bytes)
      } else {
        write(elements[index], to: &bytes)
      }
      index += 1
    }
    return index
  }
}
