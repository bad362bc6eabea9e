import WhereaboutsModel
package import WhereaboutsReports

/// A printer of fence events on standard output.
package struct FenceEventPrinter: Sendable {
  /// The consumer name under which a store keeps the number of the last printed record.
  package static let consumer = "terminal"

  package let json: Bool
  package let text: FenceEventText

  package init(json: Bool, text: FenceEventText) {
    self.json = json
    self.text = text
  }

  /// Prints an event immediately.
  ///
  /// - Throws: `OutputFile.ReaderGoneError` if the reader has closed the output.
  package func print(_ event: ReportedFenceEvent) throws {
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
