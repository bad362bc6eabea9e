import WhereaboutsCore

/// Tells events of fences on standard output.
struct FenceVoice: Sendable {
  /// The name under which a store knows until where they have been told here.
  static let consumer = "terminal"

  let json: Bool
  let text: FenceEventText

  /// Writes an event's line, at once.
  ///
  /// - Throws: `OutputFile.ReaderGone` where nobody listens any more.
  func tell(_ event: ToldEvent) throws {
    var bytes: [UInt8] = []
    if json {
      FenceEventJSON.append(event, to: &bytes)
    } else {
      bytes.appendText("\(text.line(event))\n")
    }
    do throws(System.Failure) { try System.write(System.standardOutput, bytes) } catch {
      if error.isBrokenPipe { throw OutputFile.ReaderGone() }
      throw CommandFailure("could not write standard output: \(error.reason)")
    }
  }
}
