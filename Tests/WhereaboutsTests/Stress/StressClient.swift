import Testing
import WhereaboutsTesting
import Whereabouts

/// A client that requests, cancels, completes, waits and subscribes at random.
struct StressClient {
  var random: SeededGenerator
  let manager: LocationManager
  private var requests: [LocationRequest] = []
  private var summary = RequestSummary()

  struct RequestSummary: Sendable {
    /// The outcomes of the requests that the client holds.
    var ended: [RequestID: RequestOutcome] = [:]
    /// The number of requests that were not held.
    var unheld = 0
  }

  init(random: SeededGenerator, manager: LocationManager) {
    self.random = random
    self.manager = manager
  }

  mutating func step() async {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4: requests.append(makeRequest())
    case 4: requests.randomElement(using: &random)?.cancel()
    case 5: requests.randomElement(using: &random)?.completeNow()
    case 6: await awaitTwice()
    case 7: await follow()
    case 8: await requestInCancelledTask()
    case 9: await listen(cancelled: false)
    case 10: await listen(cancelled: true)
    default: await checkStatus()
    }
  }

  /// Ends all open requests and waits for their outcomes.
  mutating func endRequests() async -> RequestSummary {
    for request in requests {
      switch Int.random(in: 0..<3, using: &random) {
      case 0: request.cancel()
      case 1: request.completeNow()
      default:
        request.completeNow()
        request.cancel()
      }
    }
    for request in requests { record(request.id, await request.outcome) }
    return summary
  }

  private mutating func record(_ id: RequestID, _ outcome: RequestOutcome) {
    if let before = summary.ended.updateValue(outcome, forKey: id) {
      #expect(before == outcome, "all waiters receive the same outcome")
    }
  }

  // MARK: Requests

  private mutating func makeRequest() -> LocationRequest {
    let timeouts: [Duration?] = [nil, .zero, .seconds(1), .seconds(8)]
    let settle = Bool.random(using: &random) ? Duration.seconds(3) : nil
    return manager.request(
      randomLevel(), timeout: timeouts.randomElement(using: &random) ?? nil,
      timeoutStarts: Bool.random(using: &random) ? .whenRequested : .whenAuthorized,
      settlingAfter: settle)
  }

  /// Returns a level; half of the levels are hard to reach.
  private mutating func randomLevel() -> AccuracyLevel {
    Bool.random(using: &random) ? .room : AccuracyLevel.standard.randomElement(using: &random) ?? .room
  }

  /// Awaits one request from several tasks at once.
  private mutating func awaitTwice() async {
    let request = makeRequest()
    requests.append(request)
    let end = Int.random(in: 0..<3, using: &random)
    async let first = request.outcome
    async let second = request.outcome
    if end == 0 { request.completeNow() }
    if end == 1 { request.cancel() }
    record(request.id, await first)
    record(request.id, await second)
  }

  private mutating func follow() async {
    let request = makeRequest()
    requests.append(request)
    if Bool.random(using: &random) { request.completeNow() }
    var last: LocationRequest.Progress?
    var endings = 0
    for await progress in request.progress {
      last = progress
      if case .ended = progress { endings += 1 }
    }
    #expect(endings == 1)
    let outcome = await request.outcome
    #expect(last == .ended(outcome))
    record(request.id, outcome)
  }

  private mutating func requestInCancelledTask() async {
    let level = randomLevel()
    let manager = manager
    let asking = Task { try? await manager.fix(level, timeout: nil) }
    for _ in 0..<Int.random(in: 0...5, using: &random) { await Task.yield() }
    asking.cancel()
    summary.unheld += 1
    _ = await asking.value
  }

  // MARK: Subscriptions

  private mutating func listen(cancelled: Bool) async {
    let manager = manager
    let count = Int.random(in: 0...3, using: &random)
    let kind = Int.random(in: 0..<7, using: &random)
    let keeping: FixBuffering =
      [.newest(1), .all(upTo: 3), .waiting(upTo: 1)].randomElement(using: &random) ?? .newest(1)
    let listening = Task {
      switch kind {
      case 0: await Self.consume(count, of: manager.fixes(.house, keeping: keeping))
      case 1: await Self.consume(count, of: manager.updates(.room, distanceFilter: 10, keeping: keeping))
      case 2:
        await Self.consume(
          count, of: manager.updates(FixTerms(level: .city, maximumCount: 2), keeping: keeping))
      case 3: await Self.consume(count, of: manager.significantChanges())
      case 4: await Self.consume(count, of: manager.headings(filter: 0))
      case 5: await Self.consume(min(count, 1), of: manager.motions())
      default: await Self.consume(min(count, 1), of: manager.visits())
      }
    }
    if cancelled || kind > 2 {
      for _ in 0..<Int.random(in: 0...20, using: &random) { await Task.yield() }
      listening.cancel()
    }
    await listening.value
  }

  /// Consumes a number of elements; 0 releases the stream without an iterator.
  private static func consume<Stream: AsyncSequence & Sendable>(_ count: Int, of stream: Stream) async
  where Stream.Element: Sendable {
    guard count > 0 else { return }
    var taken = 0
    do {
      for try await _ in stream {
        taken += 1
        if taken == count { return }
      }
    } catch {
      Issue.record("a stream threw")
    }
  }

  private mutating func checkStatus() async {
    if Bool.random(using: &random) {
      _ = await manager.status
    } else {
      for await _ in manager.statuses { break }
    }
  }
}
