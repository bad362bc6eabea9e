import Foundation
import Testing
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUpload

/// A temporary store, a test clock, and the uploaders of the store.
final class UploadFixture: Sendable {
  let folder: String
  let clock = StepClock(wall: UploadFixture.start)
  let events = Locked<[UploadEvent]>([])

  static let start = UTCTime(nanosecondsSince1970: 1_800_000_000_000_000_000)

  init() throws {
    folder = NSTemporaryDirectory() + "whereabouts-upload-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func store() throws -> SQLiteStore { try SQLiteStore.open(at: "\(folder)/whereabouts.sqlite") }

  /// A file with a text, readable by its owner only by default.
  func file(_ text: String, mode: Int = 0o600) throws -> String {
    let path = "\(folder)/\(UUID().uuidString)"
    try text.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    return path
  }

  static func makePrivate(_ path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  var uploadClock: UploadClock {
    let clock = clock
    return UploadClock(clock) { UploadFixture.start.advanced(by: clock.now.offset) }
  }

  func uploader(_ store: SQLiteStore, seed: UInt64 = 1) -> Uploader {
    Uploader(
      store: store, clock: uploadClock, makeRandom: { SeededGenerator(seed: seed) },
      report: { [events] event in events.withLock { $0.append(event) } })
  }

  /// Lets time pass until a condition holds, by a second at most each time: the next deadline may be that of a request,
  /// since the uploader's own timer is set again only after a look. A second takes a millisecond at least, so that not
  /// days pass while a thread of the uploader or of the server stands still.
  func pass(until condition: () throws -> Bool) async rethrows {
    while try !condition() {
      let wait = await clock.nextDeadline().offset - clock.now.offset
      await clock.advance(by: min(max(.zero, wait), Uploader.checkInterval))
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  /// Runs the workers step by step until they have nothing to do, and advances the clock by each wait.
  ///
  /// - Returns: the last step, and the waits after failures.
  @discardableResult
  func drive(
    _ store: SQLiteStore, seed: UInt64 = 1, steps: Int = .max,
    until isDone: (UploadWorker.Step) -> Bool = { _ in false }
  ) async throws -> (last: UploadWorker.Step, waits: [Duration]) {
    var last = UploadWorker.Step.removed
    var waits: [Duration] = []
    try await uploader(store, seed: seed).withSender { sender in
      for (row, devices) in try store.uploadTargets() {
        for device in devices {
          var worker = uploader(store, seed: seed).worker(row, device, by: sender)
          for _ in 0..<steps {
            last = try await worker.step()
            if isDone(last) { return }
            let now = sender.clock.now
            switch last {
            case .progressed: continue
            case .failed(_, let until):
              waits.append(until.since(now))
              await clock.advance(by: max(.zero, until.since(now)))
              continue
            case .waiting(let until?):
              await clock.advance(by: max(.zero, until.since(now)))
              continue
            case .waiting(nil), .stopped, .removed: break
            }
            break
          }
        }
      }
    }
    return (last, waits)
  }
}

/// Recorded histories.
enum SampleHistory {
  static func time(_ seconds: Int) -> UTCTime {
    UTCTime(nanosecondsSince1970: UploadFixture.start.nanosecondsSince1970 + Int64(seconds) * 1_000_000_000)
  }

  static func fix(_ seconds: Int, accuracy: Double? = 5, simulated: Bool = false) -> LoggedFix {
    var fix = Fix.test(
      latitude: 48, longitude: 11 + Double(seconds % 100_000) * 1e-4, accuracy: accuracy, time: time(seconds))
    fix.isSimulated = simulated
    return LoggedFix(fix, seen: time(seconds))
  }

  static func event(_ number: UInt64, at seconds: Int, _ kind: FenceEvent.Kind = .enter) -> FenceEvent {
    FenceEvent(
      id: FenceEvent.ID(number), fence: "home", kind: kind, manner: .crossed, time: time(seconds),
      timeUncertainty: 0.5, lastBefore: nil, firstAfter: time(seconds), place: fix(seconds).fix.coordinate,
      confidence: 0.99, decidedBy: fix(seconds).fix, decided: time(seconds), pending: .zero)
  }

  static func commit(
    _ fixes: [LoggedFix], records: [NumberedFenceRecord] = [], device: DeviceID = .this,
    snapshot: Bool = false
  ) -> StoreCommit {
    var commit = StoreCommit(device: device)
    commit.fixes = fixes
    commit.fenceRecords = records
    if snapshot { commit.snapshot = EngineSnapshot() }
    return commit
  }
}

extension Endpoint {
  /// An endpoint that receives every fix uncompressed.
  static func test(_ template: UploadTemplate, _ server: TestServer, name: String = "there") -> Endpoint {
    var endpoint = Endpoint(name: name, url: server.url, template: template)
    endpoint.terms = nil
    endpoint.compresses = false
    return endpoint
  }
}

extension Duration {
  /// A timeout for a test whose clock runs faster than its server answers.
  static let longerThanAnyTest = Duration.seconds(10_000_000)
}

extension TestServer.Request {
  /// The ids of the items in the body, in Whereabouts' own format.
  var ids: [String] {
    text.split(separator: "{\"id\":\"").dropFirst().compactMap {
      $0.split(separator: "\"").first.map(String.init)
    }
  }
}

extension SQLiteStore {
  /// The status of the only endpoint.
  func onlyStatus() throws -> UploadStatus { try #require(try uploadStatus().first) }
}
