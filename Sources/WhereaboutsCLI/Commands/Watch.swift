import ArgumentParser
import Whereabouts
import WhereaboutsCore
import WhereaboutsFormats

/// `whereabouts watch`: fixes as they come.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follow the device.",
    discussion: """
      Prints each fix on a line until the source is over, --count fixes have come, or Ctrl-C. With --timeout it gives up \
      if none of them is as good as asked for within that time. With a recording as its source, time is that of the \
      recording.

      Examples:
        whereabouts watch --source 'replay:drive.nmea?speed=10'
        whereabouts watch --source replay:drive.nmea --json --count 5
        whereabouts watch --source replay:drive.nmea --format '{time}\\t{lat:5}\\t{lon:5}' --distance 50

      Exit codes: 0 done, 1 failed, 2 usage, 3 timed out.
      """)

  @OptionGroup var locating: LocatingOptions

  @Option(help: ArgumentHelp("Stop after so many fixes.", valueName: "number"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Print a fix only if it is at least so far from the last one printed.", valueName: "metres"))
  var distance = 0.0

  func validate() throws {
    if let count, count < 1 { throw ValidationError("--count is at least 1") }
    if !(distance >= 0 && distance.isFinite) { throw ValidationError("--distance is 0 or more") }
  }

  func run() async throws {
    let manager = locating.manager()
    let level = locating.accuracy.level
    let request = locating.timeout.map { manager.request(level, timeout: $0.duration) }
    // A recording waits for a slow terminal; nothing is dropped.
    let updates = manager.updates(level, distanceFilter: distance, keeping: .waiting(upTo: 16))
    let watching = Task { try await Watcher(self).watch(updates) }
    let alarm = Task {
      guard let request, case .timedOut = await request.outcome else { return false }
      updates.end()  // What came before is still shown.
      return true
    }
    let interruption = Interruption()
    let listening = Task { [events = interruption.events] in
      for await _ in events {
        watching.cancel()
        return true
      }
      return false
    }
    let result = await watching.result
    request?.cancel()
    interruption.end()
    let (hasTimedOut, isInterrupted) = (await alarm.value, await listening.value)
    let shown = try result.get()
    if isInterrupted || System.isTerminal(System.standardError) {
      let tally = await manager.tally()
      StandardError.write("\(Self.summary(tally, shown: shown, interrupted: isInterrupted))\n")
    }
    if isInterrupted { return }
    if hasTimedOut, let timeout = locating.timeout {
      let waited = Quantities.duration(timeout.duration.inSeconds)
      throw CommandFailure("\(FixText.level(level)) was not reached within \(waited)", code: .timedOut)
    }
    if shown == 0 { throw CommandFailure("no fix came") }
  }

  private static func summary(_ tally: FixTally, shown: Int, interrupted: Bool) -> String {
    var text = "\(interrupted ? "interrupted after " : "")\(Quantities.count(shown, "fix", "fixes"))"
    let refused = tally.refused.sorted { $0.key.rawValue < $1.key.rawValue }
      .map { "\($0.value.grouped) \($0.key.rawValue)" }
    if !refused.isEmpty { text += "; refused: \(refused.joined(separator: ", "))" }
    return text
  }
}

/// One run of `watch`: takes fixes and prints them.
private struct Watcher {
  private let command: Watch

  init(_ command: Watch) {
    self.command = command
  }

  /// Prints fixes until they end, enough have come, the task is cancelled or nobody reads them any more.
  ///
  /// - Returns: how many were printed.
  func watch(_ updates: UpdateStream) async throws -> Int {
    let output = try OutputFile(path: nil, replacing: false)
    var shown = 0
    for await update in updates {
      switch update {
      case .trouble(let trouble):
        let message = "could not \(trouble.message)"
        // A recording that can't be read won't get better by waiting.
        if trouble.code == .unreadable { throw CommandFailure(message) }
        StandardError.write("whereabouts: \(message)\n")
      case .authorization(let authorization):
        StandardError.write("whereabouts: \(authorization.status.rawValue). \(authorization.remedy ?? "")\n")
      case .fix(let fix, _):
        show(fix, on: output)
        do { try output.flush() } catch is OutputFile.ReaderGone { return shown }
        shown += 1
      }
      if shown == command.count { break }
    }
    return shown
  }

  private func show(_ fix: Fix, on output: OutputFile) {
    if let format = command.locating.format {
      format.render(fix, into: &output.bytes)
      output.bytes.append(UInt8(ascii: "\n"))
    } else if command.locating.json {
      output.bytes.appendJSON(fix)
      output.bytes.append(UInt8(ascii: "\n"))
    } else {
      output.bytes.appendText("\(FixText.line(fix))\n")
    }
  }
}
