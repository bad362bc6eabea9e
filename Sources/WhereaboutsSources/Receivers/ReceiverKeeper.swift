import Whereabouts
import WhereaboutsCore

/// What is known of a receiver from one time that it is needed to the next.
struct ReceiverMemory: Sendable {
  var repeats = RepeatGuard()
  /// The speed that worked last.
  var speed: Int?
  var hasOpened = false
  /// Whether reading it was said to be denied.
  var isRefused = false
}

/// Keeps a line to a receiver open while it is needed: opens it, passes on what comes, and opens it again.
struct ReceiverKeeper {
  let port: ReceiverPort
  let link: SourceLink
  let settings: ReceiverSource.Settings
  private(set) var memory: ReceiverMemory
  private var pace: RetryPace
  private var words: ReceiverTrouble { ReceiverTrouble(port: port) }
  /// Whether the receiver was away: what comes next does not continue what came before.
  private var wasAway = false
  /// Whether no line was opened since the receiver is needed again.
  private var isFirstLine = true
  /// Whether it was said that reading it is denied: once for each time that it is needed.
  private var hasSaidRefused = false
  /// How long the next connection may be silent.
  private var patience: Duration
  private let clock = ContinuousClock()

  init(_ port: ReceiverPort, link: SourceLink, settings: ReceiverSource.Settings, memory: ReceiverMemory) {
    self.port = port
    self.link = link
    self.settings = settings
    self.memory = memory
    pace = RetryPace(settings.pace)
    patience = settings.patience
  }

  /// Runs until the task is cancelled.
  ///
  /// - Returns: whether the source is over: there will never be more.
  mutating func run() async -> Bool {
    while !Task.isCancelled {
      do throws(LineFailure) {
        let began = clock.now
        let line = try await open()
        let end = await follow(line)
        await line.close()
        guard let end, !Task.isCancelled else { return false }
        if case .standardInput = port { return true }
        await lost(wasSilent: end.wasSilent)
        // A line that was of use, or held for long, is opened again at once.
        if end.isUseful || clock.now - began > settings.pace.poll { continue }
        await wait(answersAtOnce: true)
      } catch {
        if Task.isCancelled { return false }
        await tell(error)
        if case .never = error.retry { return false }
        await wait(answersAtOnce: error.retry != .later)
      }
    }
    return false
  }

  private mutating func open() async throws(LineFailure) -> ReceiverLine {
    var opener = LineOpener(port: port, session: settings.session)
    opener.speed = memory.speed
    // Bytes that wait between two writers of a pipe are new; those from before the demand are not.
    opener.dropsWaiting = isFirstLine && memory.hasOpened
    if case .tcp = port { opener.patience = patience }
    let line = try await opener.open()
    memory.hasOpened = true
    isFirstLine = false
    if memory.isRefused {
      memory.isRefused = false
      hasSaidRefused = false
      await link.send(.authorization(Authorization(.always)))
    }
    return line
  }

  private struct End {
    var wasSilent: Bool
    var isUseful: Bool
  }

  /// Passes on what comes.
  ///
  /// - Returns: `nil` where the task was cancelled.
  private mutating func follow(_ line: ReceiverLine) async -> End? {
    memory.repeats.lineBroke()
    var isUseful = false
    var count = 0
    for await report in line.reports {
      switch report {
      case .signal(let signal): await pass(signal)
      case .understood(let speed):
        isUseful = true
        memory.speed = speed ?? memory.speed
        pace.reset()
        patience = settings.patience
      case .over(let wasSilent): return End(wasSilent: wasSilent, isUseful: isUseful)
      }
      count += 1
      if count == 32 {
        line.taken(count)
        count = 0
      }
    }
    return nil
  }

  private mutating func pass(_ signal: SourceSignal) async {
    if case .fix(let fix, _) = signal {
      guard memory.repeats.passes(fix.time) else { return }
      if wasAway {
        wasAway = false
        await link.send(.segmentBegan)
      }
    }
    await link.send(signal)
  }

  /// The line has ended.
  private mutating func lost(wasSilent: Bool) async {
    if wasSilent {
      // It was said before that it is. A server that is there and has nothing to say is left alone for longer each time.
      patience = min(patience * 2, settings.longestPatience)
      return
    }
    if case .serial = port { wasAway = memory.repeats.last != nil }
    await link.send(.unavailable(words.gone))
  }

  private mutating func tell(_ failure: LineFailure) async {
    switch failure.retry {
    case .whenPermitted:
      // The system gives a device to its group a moment after it has come.
      if await hasBecomePermitted() { return }
      guard !hasSaidRefused else { return }
      hasSaidRefused = true
      memory.isRefused = true
      let remedy = failure.trouble.remedy ?? "Could not \(failure.trouble.message)."
      await link.send(.authorization(Authorization(.denied, noticesChanges: false, remedy: remedy)))
    case .never: await link.send(.failed(failure.trouble))
    case .atOnce, .later:
      if case .serial = port { wasAway = memory.repeats.last != nil }
      await link.send(.unavailable(failure.trouble))
    }
  }

  /// Whether a device that was here before, and has come back, can be opened within a second.
  private func hasBecomePermitted() async -> Bool {
    guard memory.hasOpened, !memory.isRefused, case .serial(let path, _) = port else { return false }
    for _ in 0..<10 {
      guard (try? await clock.sleep(for: .milliseconds(100))) != nil else { return true }
      if (try? DeviceFile(port, path: path).probe(isExclusive: false)) != nil { return true }
    }
    return false
  }

  private mutating func wait(answersAtOnce: Bool) async {
    let pause = pace.wait(answersAtOnce: answersAtOnce, jitter: .random(in: -1...1))
    // Cancelled, the loop sees it.
    try? await clock.sleep(for: pause, tolerance: pause / 20)
  }
}
