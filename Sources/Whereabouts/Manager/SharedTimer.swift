/// One sleeping task for the deadlines of many waits, nearly all of which end in time.
///
/// A sleep of its own for each wait would be a timer of the system for each, which stays until its time even after its
/// cancellation: thousands of waits a second would hold hundreds of thousands of timers.
///
/// - Complexity: O(1) to add and to remove a deadline; O(n) for n deadlines whenever the earliest one passes.
package actor SharedTimer<C: Clock> where C.Duration == Duration {
  /// A deadline that was added.
  package struct Entry: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  private let clock: C
  private var deadlines: [UInt64: (instant: C.Instant, action: @Sendable () -> Void)] = [:]
  private var lastNumber: UInt64 = 0
  /// The sleeping task, and when it wakes. It may wake for a deadline that was removed.
  private var sleeper: (task: Task<Void, Never>, wakes: C.Instant)?

  /// Creates a timer without deadlines.
  package init(_ clock: C) { self.clock = clock }

  /// The number of deadlines.
  package var count: Int { deadlines.count }

  /// Adds a deadline.
  ///
  /// - Parameter action: called once, soon after the deadline, unless it is removed before. Must not block.
  package func add(_ instant: C.Instant, _ action: @escaping @Sendable () -> Void) -> Entry {
    lastNumber += 1
    deadlines[lastNumber] = (instant, action)
    if sleeper.map({ instant < $0.wakes }) ?? true { sleep(until: instant) }
    return Entry(number: lastNumber)
  }

  /// Adds a deadline that so much time is left to.
  package func add(after time: Duration, _ action: @escaping @Sendable () -> Void) -> Entry {
    add(clock.now.advanced(by: time), action)
  }

  /// Removes a deadline. Its action is not called, unless it was called before.
  package func remove(_ entry: Entry) {
    // The sleeper continues: the next deadline is most likely added at once.
    deadlines[entry.number] = nil
  }

  private func sleep(until instant: C.Instant) {
    sleeper?.task.cancel()
    let task = Task { [clock] in
      do { try await clock.sleep(until: instant, tolerance: nil) } catch { return }
      self.wake(at: instant)
    }
    sleeper = (task, instant)
  }

  private func wake(at instant: C.Instant) {
    // Another sleeper may have replaced this one while it woke.
    guard let sleeper, sleeper.wakes == instant else { return }
    self.sleeper = nil
    for number in deadlines.filter({ $0.value.instant <= instant }).keys.sorted() {
      deadlines.removeValue(forKey: number)?.action()
    }
    if let next = deadlines.values.map(\.instant).min() { sleep(until: next) }
  }
}

extension SharedTimer where C == ContinuousClock {
  /// The timer of the process.
  package static var ofProcess: SharedTimer { processTimer }
}

private let processTimer = SharedTimer(ContinuousClock())
