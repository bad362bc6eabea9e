import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsOperations
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

#if Upload
  import WhereaboutsUpload
#endif

/// `whereabouts queue flush`: sends all queued requests now.
struct QueueFlush: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flush",
    abstract: "Send all queued records now.",
    discussion: """
      Sends to all endpoints at once, or to one, without waiting for a full batch or for the delay after a failure. The \
      first failure ends the uploads of a device, and its remaining records stay in the queue. If another process \
      uploads, the command asks that process to send.

      Examples:
        whereabouts queue flush
        whereabouts queue flush home --json

      Exit codes: 0 success, 1 failure, remaining or rejected records, or unknown name, 2 usage error, 4 permission \
      denied.
      """)

  @OptionGroup var store: StoreFileOptions

  @Argument(help: "Name of an endpoint. (default: all endpoints)")
  var name: String?

  @Flag(help: "Print the result of each endpoint as JSON, one object per line.")
  var json = false

  func run() async throws {
    try UploadSupport.require(to: "flush \(name ?? "the queue")")
    #if Upload
      try await flush()
    #endif
  }
}

#if Upload
  extension QueueFlush {
    private func flush() async throws {
      let path = try store.path()
      // A timer may run the command before the store exists.
      guard name != nil || path.exists else {
        return StandardError.print(
          "no store exists at \(path.file). Run `whereabouts queue add` to add an endpoint.")
      }
      let opened = try OpenStore.writingExisting(store.selection)
      if let name { try opened.attempt { try EndpointNames.requireEndpoint(name, in: $0) } }
      let names = try name.map { [$0] } ?? opened.attempt { try $0.endpoints().map(\.name) }
      let output = try OutputFile(path: nil, replacing: false)
      let shows = !json && System.isErasableTerminal(System.standardError)
      var isAllSent = true
      let flushes: [Uploader.Flush]
      do throws(StoreError) {
        defer { if shows { StandardError.eraseProgress() } }
        flushes = try await Uploader(store: opened.base).flush(names) { name, progress in
          let counts = "\(progress.sent) sent, \(progress.remaining) left"
          if shows { StandardError.showProgress("\(name.sanitizedToOneLine): \(counts)") }
        }
      } catch { throw CommandError(error) }
      for (name, flush) in zip(names, flushes) {
        if flush.remaining > 0 || flush.deadLetters > 0 || flush.reason != nil { isAllSent = false }
        if json {
          Self.append(flush, of: name, to: &output.bytes)
        } else {
          output.bytes.appendText(Self.report(flush, of: name, in: opened.base))
        }
      }
      if names.isEmpty {
        StandardError.print("no upload endpoints. Run `whereabouts queue add` to add an endpoint.")
      }
      do { try output.flush() } catch is OutputFile.ReaderGoneError {}
      if !isAllSent { throw CommandError("") }
    }

    private static func report(_ flush: Uploader.Flush, of name: String, in store: SQLiteStore) -> String {
      var text = "\(name): \(Quantities.count(flush.sent, "request")) sent"
      if flush.sentItems > 0 { text += " with \(Quantities.count(flush.sentItems, "item"))" }
      if flush.deadLetters > 0 { text += ", \(flush.deadLetters.grouped) set aside" }
      if flush.remaining > 0 { text += ", \(flush.remaining.grouped) left" }
      if let reason = flush.reason {
        StandardError.print("whereabouts: \(QueueText.failure(reason, of: name, in: store))")
      }
      if flush.deadLetters > 0 {
        StandardError.print(
          "whereabouts: \(name) rejected requests. Run `whereabouts queue status` to show the reasons.")
      }
      return "\(text.sanitizedToOneLine)\n"
    }

    private static func append(_ flush: Uploader.Flush, of name: String, to bytes: inout [UInt8]) {
      bytes.appendJSONObject {
        $0.appendJSONMember("endpoint", name)
        $0.appendJSONMember("sent", flush.sent)
        $0.appendJSONMember("sentItems", flush.sentItems)
        $0.appendJSONMember("aside", flush.deadLetters)
        $0.appendJSONMember("left", flush.remaining)
        $0.appendJSONMember("reason", flush.reason)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
  }
#endif
