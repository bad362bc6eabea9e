package import Whereabouts
import WhereaboutsModel
package import WhereaboutsReports
import WhereaboutsStore

/// A watch over fences. The session reports events, applies edits that other processes make in the store, and reports
/// problems of the source.
package actor FenceSession {
  /// The interval between checks for edits of the fences.
  private static let pollInterval = Duration.milliseconds(500)

  private let manager: LocationManager
  /// Whether the source is a recording, which plays only while a consumer needs its fixes.
  private let isRecorded: Bool
  private let store: OpenStore?
  private let printer: FenceEventPrinter
  /// The builder of reports. The builder remembers reported events that a later record may revoke.
  private var reportBuilder: ReportedEventBuilder
  /// The number of the last record that an earlier process may have reported.
  private let possiblyReportedThrough: UInt64
  /// Whether a fence has ended in an earlier process.
  private let hasEndedFence: Bool
  private var tasks: [Task<Void, Never>] = []
  /// The consumer of a recording's fixes after the last fence has ended; `nil` before.
  private var restReader: Task<Void, Never>?
  private var isStopped = false
  private var outcome = LiveSession.Outcome()

  /// The reports of earlier processes.
  package struct PreviousReports: Sendable {
    var builder = ReportedEventBuilder()
    /// The number of the last record; 0 if there is none.
    var lastNumber: UInt64 = 0
    /// Whether a fence has ended, after its one event or at its expiry.
    package var hasEndedFence = false

    package init(builder: ReportedEventBuilder = ReportedEventBuilder(), lastNumber: UInt64 = 0) {
      self.builder = builder
      self.lastNumber = lastNumber
    }
  }

  /// - Parameters:
  ///   - isRecorded: whether the source is a recording, which is read to its end also after the last fence has ended.
  ///   - store: the store of the fences; `nil` for a watch without a store.
  package init(
    manager: LocationManager, isRecorded: Bool, store: OpenStore?, before: PreviousReports,
    printer: FenceEventPrinter
  ) {
    self.manager = manager
    self.isRecorded = isRecorded
    self.store = store
    self.printer = printer
    reportBuilder = before.builder
    possiblyReportedThrough = before.lastNumber
    hasEndedFence = before.hasEndedFence
  }

  /// Starts the source, and runs until the source ends or ``stop()`` is called.
  package func run() async -> LiveSession.Outcome {
    let updates = manager.fences.updates(for: FenceEventPrinter.consumer)
    manager.startSource()
    let reporting = Task { for await update in updates { await self.process(update) } }
    let looking = Task { await self.applyEdits() }
    tasks = [reporting, looking]
    if isStopped { stop() }
    // The last fence may have ended before a kill.
    if hasEndedFence { await readRest() }
    await reporting.value
    looking.cancel()
    await looking.value
    restReader?.cancel()
    await restReader?.value
    return outcome
  }

  /// Ends the session.
  package func stop() {
    isStopped = true
    for task in tasks { task.cancel() }
    restReader?.cancel()
  }

  // MARK: Events

  private func process(_ update: FenceUpdate) async {
    guard !isStopped else { return }
    do {
      switch update {
      case .record(let record):
        try report(record)
        await acknowledge(record.number)
        if case .removed = record.record { await readRest() }
      // `StoreHealthReporter` reports problems of the store for every command with a store.
      case .storeFailed, .storeRecovered: break
      case .problem(let problem): try LiveLineWriter.report(problem)
      case .authorization(let authorization): try LiveLineWriter.report(authorization)
      }
    } catch is OutputFile.ReaderGoneError {
      stop()
    } catch {
      outcome.failure = error as? CommandError ?? CommandError("\(error)")
      stop()
    }
  }

  private func report(_ record: NumberedFenceRecord) throws {
    let isAgain = record.number > 0 && record.number <= possiblyReportedThrough
    guard let event = reportBuilder.event(of: record.record, isAgain: isAgain) else { return }
    try printer.print(event)
    outcome.shownCount += 1
  }

  private func acknowledge(_ number: UInt64) async {
    // The next process reports an unacknowledged event again and marks the repetition.
    try? await manager.fences.acknowledge(through: number, by: FenceEventPrinter.consumer)
  }

  /// Reads the rest of a recording if no fence is left: without a consumer of its fixes, the recording would pause for
  /// ever.
  private func readRest() async {
    guard isRecorded, await manager.fences.count == 0, restReader == nil, !isStopped else { return }
    let fixes = manager.fixes()
    restReader = Task { for await _ in fixes {} }
  }

  // MARK: The store

  /// Applies edits that other processes make in the store.
  private func applyEdits() async {
    guard let store else { return }
    // The manager has loaded all earlier edits by the time of this count.
    _ = await manager.fences.count
    var version: Int64?
    var last: UInt64 = 0
    while !Task.isCancelled {
      do {
        let now = try store.base.dataVersion
        if now != version {
          let edits = try store.base.edits(of: store.device, after: last)
          try await manager.fences.apply(edits)
          if !edits.isEmpty { await readRest() }
          last = edits.last?.number ?? last
          version = now
        }
      } catch is FenceError {
        // The manager reports a failed write and retries with the next write.
      } catch {
        // The next poll retries a store that cannot be read.
      }
      do { try await Task.sleep(for: Self.pollInterval) } catch { return }
    }
  }
}
