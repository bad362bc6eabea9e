import FaultyDisk
import Foundation
import WhereaboutsStore
import WhereaboutsUpload

/// Uploads from a store until the process is killed, or with `--drain yes` until the queue is empty.
struct SendRun {
  private let options: RunnerOptions

  init(_ options: RunnerOptions) { self.options = options }

  func run() async throws {
    let kill = try options.number("kill-at", default: 0)
    if kill > 0 { faulty_disk_kill_at(kill, UInt32(try options.number("percent", default: 0))) }
    let store = try SQLiteStore.open(at: try options.text("store"))
    printLine("ready")
    guard options.optionalText("drain") != nil else {
      await Uploader(store: store).run()
      return
    }
    var flush = try await Uploader(store: store).flush(UploadKillRun.endpoint)
    // The server fails now and then.
    while flush.remaining > 0 || flush.reason != nil {
      flush = try await Uploader(store: store).flush(UploadKillRun.endpoint)
    }
    printLine("done")
  }
}
