import ArgumentParser
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// `whereabouts now`: one fix, as good as asked for.
struct Now: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Say where the device is.",
    discussion: """
      Waits for a fix as good as asked for and prints it. If the time is up first, or the source is over, the best fix \
      until then is printed and the exit code says so. With a recording as its source, time is that of the recording.

      Examples:
        whereabouts now --source replay:drive.nmea --accuracy room --timeout 30s
        whereabouts now --source 'replay:drive.nmea?speed=max' --json
        whereabouts now --source replay:drive.nmea --format '{lat},{lon}'

      Exit codes: 0 answered, 1 failed, 2 usage, 3 timed out (the best fix so far is still printed).
      """)

  @OptionGroup var locating: LocatingOptions

  func run() async throws {
    let manager = locating.manager()
    let level = locating.accuracy.level
    let outcome = await manager.request(level, timeout: locating.timeout?.duration).outcome
    if let answer = outcome.answer { try show(answer, outcome) }
    switch outcome {
    case .reached, .settled: return
    case .timedOut(let best):
      let waited = Quantities.duration(locating.timeout?.duration.inSeconds ?? 0)
      throw CommandFailure(
        "\(FixText.level(level)) was not reached within \(waited)\(Self.ending(best))", code: .timedOut)
    case .sourceEnded(let best):
      throw CommandFailure(
        "the recording ended before \(FixText.level(level)) was reached\(Self.ending(best))")
    case .sourceFailed(let trouble, let best):
      throw CommandFailure("could not \(trouble.message)\(Self.ending(best))")
    case .unauthorized(let authorization):
      throw CommandFailure(
        "could not find out: \(authorization.status.rawValue). \(authorization.remedy ?? "")")
    case .completedEarly, .cancelled:
      throw CommandFailure("the request was ended before it was answered")
    }
  }

  private static func ending(_ best: Answer?) -> String {
    best == nil ? "; there was no fix at all" : "; this is the best there was"
  }

  private func show(_ answer: Answer, _ outcome: RequestOutcome) throws {
    let output = try OutputFile(path: nil, replacing: false)
    if let format = locating.format {
      format.render(answer.fix, into: &output.bytes)
      output.bytes.append(UInt8(ascii: "\n"))
    } else if locating.json {
      output.bytes += AnswerJSON(answer: answer, outcome: outcome).bytes + [UInt8(ascii: "\n")]
    } else {
      for line in FixText.lines(answer) { output.bytes.appendText("\(line)\n") }
    }
    do { try output.flush() } catch is OutputFile.ReaderGone {}
  }
}
