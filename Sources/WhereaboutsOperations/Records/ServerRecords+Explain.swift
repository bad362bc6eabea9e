#if Upload
  import Whereabouts
  import WhereaboutsClient
  import WhereaboutsFormats
  package import WhereaboutsModel
  import WhereaboutsReports

  extension ServerRecords {
    /// Prints how things stood with a fence at a time.
    package func explain(_ fence: FenceID, at time: UTCTime, json: Bool, to output: OutputFile) async throws {
      let (lines, answer) = try await attempt { try await $0.explanation(of: fence, at: time) }
      if json, let answer {
        output.bytes.appendJSON(answer)
        output.bytes.append(UInt8(ascii: "\n"))
      } else {
        for line in lines { output.bytes.appendText("\(line.sanitizedToOneLine)\n") }
      }
    }

    /// Prints the decisions of a span.
    package func explain(_ span: Range<UTCTime>?, json: Bool, to output: OutputFile) async throws {
      if json {
        for decision in try await attempt({ try await $0.decisions(in: span) }) {
          output.bytes.appendJSON(decision)
          output.bytes.append(UInt8(ascii: "\n"))
          try output.flushIfFull()
        }
      } else {
        for line in try await attempt({ try await $0.decisionLines(in: span) }) {
          output.bytes.appendText("\(line)\n")
          try output.flushIfFull()
        }
      }
    }
  }
#endif
