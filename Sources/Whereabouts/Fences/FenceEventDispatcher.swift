import WhereaboutsEngine
import WhereaboutsModel

/// A dispatcher of fence events: remembers and delivers numbered fence records.
struct FenceEventDispatcher {
  /// The first record that a listener receives.
  enum Start: Sendable {
    /// The remembered record after an event; `nil` for the first remembered one.
    case event(after: FenceEvent.ID?)
    /// The first record that a consumer has not acknowledged.
    case cursor(of: String)
  }

  /// The reported records, the oldest first.
  private(set) var reported: [NumberedFenceRecord]
  /// The records from before a late load, until ``rememberUnstored()``.
  private var unstored: [NumberedFenceRecord] = []
  /// The records that could not be stored and are held back.
  private var deferred: [NumberedFenceRecord] = []
  private let unsavedEvents: ManagerSettings.UnsavedEventPolicy
  private var updates = EventBroadcast<FenceUpdate>()
  private var status: ServiceStatus
  private var storeError: StoreError?
  /// Whether a listener was attached since the last problem of the source was sent.
  private var hasNewListener = false
  private(set) var isFinished = false

  init(status: ServiceStatus, unsavedEvents: ManagerSettings.UnsavedEventPolicy) {
    reported = []
    self.status = status
    self.unsavedEvents = unsavedEvents
  }

  /// Restores the records that an earlier process reported.
  mutating func restore(_ record: DeviceRecord) {
    unstored = reported
    reported = record.fenceRecords
  }

  /// Remembers the records from before a late load again, for later listeners. Earlier ones have received them.
  mutating func rememberUnstored() {
    reported += unstored
    unstored = []
  }

  /// Reports fence records, and the problems that keep fences from being monitored or stored.
  ///
  /// - Parameters:
  ///   - problem: the store's error, if the write failed.
  ///   - problemBefore: the problem with which the source had given up before its retry; `nil` without a retry.
  mutating func report(
    _ records: [NumberedFenceRecord], _ effects: [Effect], storeError problem: StoreError?,
    problemBefore: SourceProblem? = nil
  ) async {
    if problem != self.storeError {
      self.storeError = problem
      await send(problem.map { .storeFailed($0) } ?? .storeRecovered)
    }
    deferred += records
    if !deferred.isEmpty, problem == nil || unsavedEvents == .reported { await reportDeferred() }
    for case .status(let new) in effects { await report(new, problemBefore: problemBefore) }
  }

  private mutating func reportDeferred() async {
    reported.append(contentsOf: deferred)
    // Trim seldom, to limit the average cost.
    if reported.count > 2 * Fences.rememberedRecords {
      reported.removeFirst(reported.count - Fences.rememberedRecords)
    }
    for numbered in deferred where !numbered.isDecision { await updates.send(.record(numbered)) }
    deferred.removeAll(keepingCapacity: true)
  }

  private mutating func send(_ update: FenceUpdate) async {
    await updates.send(update, as: .notice)
  }

  private mutating func sendProblem(_ problem: SourceProblem) async {
    hasNewListener = false
    await send(.problem(problem))
  }

  private mutating func report(_ new: ServiceStatus, problemBefore: SourceProblem?) async {
    let old = status
    status = new
    if new.authorization != old.authorization { await send(.authorization(new.authorization)) }
    guard new.source != old.source else { return }
    switch new.source {
    case .working: break
    case .failed(let problem) where old.source == .working && problem == problemBefore && !hasNewListener:
      // A retry that fails like the try before, of which all listeners know.
      break
    case .unavailable(let problem), .failed(let problem): await sendProblem(problem)
    case .ended(let problem):
      if let problem { await sendProblem(problem) }
      await finish()
    }
  }

  /// Sends a listener every new record from now on.
  mutating func attach(_ mailbox: Mailbox<FenceUpdate>) async {
    if isFinished { return await mailbox.finish() }
    hasNewListener = true
    updates.attach(mailbox)
  }

  /// Sends a listener the remembered records after an event.
  func replay(to mailbox: Mailbox<FenceUpdate>, after id: FenceEvent.ID?) async {
    let isUnstored = id?.isUnstored ?? false
    let place = id.flatMap { id in
      reported.lastIndex {
        guard case .event(let event) = $0.record else { return false }
        return isUnstored ? event.id == id : event.id <= id
      }
    }
    for (index, numbered) in reported.enumerated() {
      // The id of an event that is not stored says nothing of the stored ones, and the other way round.
      if let place, index <= place, (numbered.number == 0) == isUnstored { continue }
      await Self.deliver(numbered, to: mailbox)
    }
  }

  /// Sends a consumer the records after a number.
  ///
  /// - Parameters:
  ///   - last: the number of the last record; 0 if there is none.
  ///   - older: reads records that are no longer in memory.
  func replay(
    to mailbox: Mailbox<FenceUpdate>, after number: UInt64, through last: UInt64,
    older: (UInt64) async throws(StoreError) -> [NumberedFenceRecord]
  ) async throws(StoreError) {
    var number = number
    // Records from before the load have no number. A consumer may have acknowledged the greatest number of all.
    let first = reported.first { $0.number > 0 }?.number ?? last + 1
    while number < first - 1 {
      let page = try await older(number).filter { $0.number < first }
      guard let last = page.last else { break }
      for numbered in page { await Self.deliver(numbered, to: mailbox) }
      number = last.number
    }
    for numbered in reported where numbered.number == 0 || numbered.number > number {
      await Self.deliver(numbered, to: mailbox)
    }
  }

  private static func deliver(_ numbered: NumberedFenceRecord, to mailbox: Mailbox<FenceUpdate>) async {
    if !numbered.isDecision { await mailbox.enqueue(.record(numbered), as: .essential) }
  }

  /// Ends every stream; buffered deliveries can still be consumed.
  mutating func finish() async {
    isFinished = true
    await updates.finish()
  }
}

extension NumberedFenceRecord {
  /// Whether the record is a decision only, which is no update.
  fileprivate var isDecision: Bool { if case .decided = record { true } else { false } }
}
