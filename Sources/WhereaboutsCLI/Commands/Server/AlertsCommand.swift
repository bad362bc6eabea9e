#if Server
  import ArgumentParser
  import Foundation
  import Whereabouts
  import WhereaboutsEngine
  import WhereaboutsFormats
  import WhereaboutsModel
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer

  /// `whereabouts alerts`: tries alerts on the stored crossings.
  struct AlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "alerts",
      abstract: "Test alerts on the stored crossings.",
      discussion: """
        Reads a file of alerts as `serve --alerts` does, and prints each decision about the stored crossings: the \
        notified channels, or the reason for no notification. The command sends no notification and stores \
        nothing. A crossing counts as known at the time of the fix that settled the crossing. docs/alerts.md \
        describes the file.

        Examples:
          whereabouts alerts alerts.json
          whereabouts alerts alerts.json --alert school --since 2024-05-01
          whereabouts alerts alerts.json --notified --json

        Exit codes: 0 success, 1 failure or no store, 2 usage error or invalid file, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Option(
      help: ArgumentHelp(
        "Test only the crossings of this device. (default: every device)", valueName: "name"),
      transform: StoreOptions.device)
    var device: DeviceID?

    @Option(
      name: .customLong("alert"),
      help: ArgumentHelp("Test only this alert; repeatable. (default: all alerts)", valueName: "name"))
    var names: [String] = []

    @OptionGroup var span: SpanOptions

    @Flag(help: "Print only decisions that notify.")
    var notified = false

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    @Argument(help: "File of alerts.", completion: .file(extensions: ["json"]))
    var file: String

    func run() async throws {
      let settings: AlertSettings
      do throws(SettingsFile.ParseError) { settings = try AlertFile.settings(atPath: file) } catch {
        throw CommandError("\(file): \(error.message)", code: .usage)
      }
      let known = settings.alerts.map(\.alert.name)
      if let unknown = names.first(where: { !known.contains($0) }) {
        throw CommandError(
          "no alert '\(unknown)' in \(file). Alerts in the file: \(known.joined(separator: ", ")).",
          code: .usage)
      }
      let opened = try OpenStore.reading(store.selection(of: device))
      defer { opened.close() }
      let trial = AlertTrial(settings, timeZone: .current)
      let fences = try opened.fences()
      for missing in trial.fences.subtracting(fences.map(\.id)).sorted() {
        StandardError.print("the store has no fence '\(missing.name)', but an alert uses this fence")
      }
      let counts = try print(trial, of: opened, FenceEventText(fences))
      if !json { StandardError.print("\(counts.notified) of \(counts.all) decisions notify") }
    }

    /// Prints the decisions, and returns their numbers.
    private func print(
      _ trial: AlertTrial, of store: OpenStore, _ text: FenceEventText
    ) throws -> (all: Int, notified: Int) {
      let output = try OutputFile(path: nil, replacing: false)
      var all = 0, notifying = 0
      do {
        try store.attempt { base in
          try trial.run(on: base) { decision in
            guard isWanted(decision) else { return }
            all += 1
            if !decision.channels.isEmpty { notifying += 1 }
            guard !notified || !decision.channels.isEmpty else { return }
            if json {
              AlertTrialText.append(decision, to: &output.bytes)
            } else {
              output.bytes.appendText("\(AlertTrialText.line(decision, text))\n")
            }
            try output.flushIfFull()
          }
        }
        try output.flush()
      } catch is OutputFile.ReaderGoneError {}
      return (all, notifying)
    }

    private func isWanted(_ decision: AlertTrial.Decision) -> Bool {
      if !names.isEmpty, !names.contains(decision.alert) { return false }
      if let device, device != decision.device { return false }
      return !span.isGiven || span.span?.contains(decision.event.time) == true
    }
  }
#endif
