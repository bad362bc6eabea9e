import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts last`: shows the last stored fix.
struct Last: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "last", abstract: "Print the device's last known location and its age.",
    discussion: """
      Prints the last stored fix with all of its values. The command does not request a new fix; `whereabouts now` \
      does.

      Examples:
        whereabouts last
        whereabouts last --json
        whereabouts last --format '{lat},{lon} at {time}'
        whereabouts last --server https://example.org --device anna

      Exit codes: 0 success, 1 failure or no stored fix, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: RecordsOptions

  @OptionGroup var output: FixOutputOptions

  func run() async throws {
    let store = try await store.reading()
    defer { store.close() }
    guard let logged = try await store.lastFix() else { throw CommandError("no fix is stored") }
    let file = try OutputFile(path: nil, replacing: false)
    if output.format != nil {
      output.form.append(logged.fix, to: &file.bytes)
    } else if output.json {
      var object = JSONObject()
      object.add("age", logged.time.map { UTCTime.now.seconds(since: $0).rounded(to: 1e3) })
      object.add("seen", logged.seen?.iso8601)
      object.add("fix", logged.fix)
      file.bytes += object.bytes + [UInt8(ascii: "\n")]
    } else {
      file.bytes.appendText("\(Self.age(logged, asOf: .now))\n")
      for (label, text) in FixDetails.entries(logged.fix) {
        file.bytes.appendText("\(label.padded(to: 12))\(text)\n")
      }
    }
    do { try file.flush() } catch is OutputFile.ReaderGoneError {}
  }

  /// Returns the age of a fix: `last seen 3 d 4 h ago, at 2024-05-14 08:26:59 UTC`.
  static func age(_ logged: LoggedFix, asOf now: UTCTime) -> String {
    guard let time = logged.time else { return "last seen at an unknown time" }
    return "last seen \(AgeText.text(time, asOf: now)), at \(time.dateText) \(time.clockText) UTC"
  }
}
