import WhereaboutsModel
import WhereaboutsReports

/// A printer of fence events on standard output.
struct FenceEventPrinter: Sendable {
  /// The consumer name under which a store keeps the number of the last printed record.
  static let consumer = "terminal"

  let json: Bool
  let text: FenceEventText

  /// Prints an event immediately.
  ///
  /// - Throws: `OutputFile.ReaderGoneError` if the reader has closed the output.
  func print(_ event: ReportedFenceEvent) throws {
    var bytes: [UInt8] = []
    if json {
      FenceEventJSON.append(event, to: &bytes)
    } else {
      bytes.appendText("\(text.line(event))\n")
    }
    do throws(System.CallError) { try System.write(System.standardOutput, bytes) } catch {
      if error.isBrokenPipe { throw OutputFile.ReaderGoneError() }
      throw CommandError("could not write standard output: \(error.reason)")
    }
  }
}
