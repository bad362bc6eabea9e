package import Whereabouts
import WhereaboutsModel
import WhereaboutsReports

/// A printer of headings, one line each.
package struct HeadingPrinter: Sendable {
  package let isJSON: Bool

  package init(isJSON: Bool) {
    self.isJSON = isJSON
  }

  /// Prints headings until the stream ends, the line limit is reached, the task is cancelled or the reader closes the
  /// output.
  package func run(_ headings: EventStream<HeadingUpdate>, _ lines: inout LiveLineWriter) async throws {
    for await update in headings {
      switch update {
      case .unavailable(let problem): throw CommandError(problem)
      case .problem(let problem): try LiveLineWriter.report(problem)
      case .authorization(let authorization): try LiveLineWriter.report(authorization)
      case .unusable:
        StandardError.print("whereabouts: the compass reports that its headings are unusable; waiting")
      case .heading(let heading, let dropped):
        LiveLineWriter.report(dropped: dropped)
        guard try lines.write({ write(heading, to: $0) }) else { return }
      }
    }
  }

  private func write(_ heading: Heading, to output: OutputFile) {
    if isJSON {
      output.bytes += HeadingText.json(heading)
      output.bytes.append(UInt8(ascii: "\n"))
    } else {
      output.bytes.appendText("\(HeadingText.line(heading))\n")
    }
  }
}
