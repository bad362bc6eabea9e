import Testing
import Whereabouts
import WhereaboutsTesting

/// Settings at the limits of their types.
@Suite struct StreamLimitTests {
  private let clock = StepClock()
  private let source = ScriptedSource()

  @Test(arguments: [Int.max, .max - 1, 0, -1, .min]) func anyBufferSizeIsAccepted(window: Int) async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.fixes(.house, keeping: .waiting(upTo: window))
    let tracker = manager.tracker(TrackTerms(reportsPoints: true), waitingForPoints: window)
    let points = Task {
      var count = 0
      for await _ in tracker.points { count += 1 }
      return count
    }
    let taken = Task {
      var count = 0
      for await _ in stream { count += 1 }
      return count
    }
    for second in 1...9 { await source.emit(fix(5, at: Double(second))) }
    source.end()
    #expect(await taken.value == 9)
    #expect(await points.value == 0, "the tracker was never started")
  }

  @Test(arguments: [0, -1, Int.min]) func nonPositiveCountEndsAtOnce(count: Int) async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    var terms = FixTerms(level: .house)
    terms.maximumCount = count
    let stream = manager.fixes(terms)
    for await _ in stream { Issue.record("a fix was delivered") }
    #expect(await source.emit(fix(5, at: 1)).demand == .off)
  }

  @Test func outOfRangeTermsAreClamped() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    var terms = FixTerms(level: .house)
    terms.distanceFilter = -.infinity
    terms.elasticity = .nan
    terms.minimumInterval = .seconds(-5)
    terms.lastFixUpTo = .seconds(-5)
    let stream = manager.updates(terms, keeping: .all(upTo: 10))
    for second in 1...5 { await source.emit(fix(5, at: Double(second))) }
    source.end()
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 5)
  }

  @Test func unconsumedProblemsAreBoundedAndCounted() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .newest(1))
    for number in 1...1000 {
      await source.emit(.unavailable(SourceProblem(.silent, message: "hear it for the \(number)th time")))
      await source.emit(fix(5, at: Double(number)))
    }
    source.end()
    #expect(await stream.droppedNotices == 900)
    #expect(await stream.dropped == 999)
    var problems: [String] = [], fixes = 0
    for await update in stream {
      switch update {
      case .problem(let problem): problems.append(problem.message)
      case .fix: fixes += 1
      case .authorization: Issue.record("an authorization was delivered")
      }
    }
    #expect(problems == (901...1000).map { "hear it for the \($0)th time" })
    #expect(fixes == 1)
  }

  @Test func droppedProblemsDoNotDelayAWaitingSource() async {
    let manager = LocationManager(source: source, clock: clock.managerClock)
    let stream = manager.updates(.house, keeping: .waiting(upTo: 200))
    // The consumer is behind by less than the window, regardless of the number of problems.
    for number in 1...500 {
      await source.emit(.unavailable(SourceProblem(.silent, message: "hear it for the \(number)th time")))
    }
    for second in 1...50 { await source.emit(fix(5, at: Double(second))) }
    source.end()
    var fixes = 0
    for await case .fix in stream { fixes += 1 }
    #expect(fixes == 50)
  }
}
