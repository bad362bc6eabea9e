import Whereabouts
import WhereaboutsCore

/// Headings as lines.
struct HeadingWatch: Sendable {
  let isJSON: Bool

  /// Prints headings until they end, enough have come, the task is cancelled or nobody reads them any more.
  func run(_ headings: HeadingStream, _ lines: inout LiveLines) async throws {
    for await update in headings {
      switch update {
      case .unavailable(let trouble): throw CommandFailure(trouble)
      case .trouble(let trouble): try LiveLines.report(trouble)
      case .authorization(let authorization): try LiveLines.report(authorization)
      case .unusable:
        StandardError.say("whereabouts: the compass is of no use here, as it says itself; waiting")
      case .heading(let heading, let dropped):
        LiveLines.report(dropped: dropped)
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
