import WhereaboutsEngine

/// The queue of all inputs of a manager's engine, in the order of their arrival.
///
/// No entry is ever dropped. A caller who cancels does not wait; a source waits until its entry is processed. The
/// queue therefore stays short.
struct Inbox: Sendable {
  /// A command to the loop around the engine, which the loop runs between two inputs.
  typealias Command = @Sendable (inout EngineLoop) async -> Void

  struct Entry: Sendable {
    enum Content: Sendable {
      /// An input of the engine.
      case input(Input)
      /// A command to the loop around the engine.
      case command(Command)
    }

    var content: Content
    /// The time of the entry; `nil` continues with the previous moment.
    var moment: Moment?
    /// The continuation to resume after the entry is processed and its effects carried out.
    var completion: CheckedContinuation<SourceLink.Status, Never>?
  }

  private let continuation: AsyncStream<Entry>.Continuation
  private let clock: ManagerClock

  static func make(clock: ManagerClock) -> (Inbox, AsyncStream<Entry>) {
    let (entries, continuation) = AsyncStream.makeStream(of: Entry.self, bufferingPolicy: .unbounded)
    return (Inbox(continuation: continuation, clock: clock), entries)
  }

  /// Whether the source alone advances time.
  var isDrivenBySource: Bool { if case .drivenBySource = clock.kind { true } else { false } }

  /// Adds an input, stamped with the moment.
  ///
  /// - Returns: false after the manager's end.
  @discardableResult
  func enqueue(_ input: Input) -> Bool {
    add(.input(input))
  }

  /// Adds a command, stamped with the moment.
  ///
  /// - Returns: false after the manager's end.
  @discardableResult
  func enqueue(command: @escaping Command) -> Bool {
    add(.command(command))
  }

  /// Adds a command, stamped with the moment.
  ///
  /// - Parameter refuse: called in place of the command after the manager's end, so that no caller waits forever.
  func enqueue(command: @escaping Command, otherwise refuse: @escaping @Sendable () async -> Void) {
    if !enqueue(command: command) { Task { await refuse() } }
  }

  private func add(_ content: Entry.Content) -> Bool {
    if case .terminated = continuation.yield(Entry(content: content, moment: clock.stamp())) {
      false
    } else {
      true
    }
  }

  /// Adds a command and waits for its result: reads the loop's state or changes it.
  ///
  /// - Returns: the result; `nil` after the manager's end.
  func perform<Value: Sendable>(
    _ command: @escaping @Sendable (inout EngineLoop) async -> Value
  ) async -> Value? {
    await withCheckedContinuation { continuation in
      let isAccepted = enqueue { loop in continuation.resume(returning: await command(&loop)) }
      if !isAccepted { continuation.resume(returning: nil) }
    }
  }

  /// Adds a source's signal and waits until the signal is processed.
  ///
  /// - Parameters:
  ///   - signal: the signal; `nil` advances time only.
  ///   - moment: the time of the signal, used only if the source drives time.
  /// - Returns: the engine's status, ``SourceLink/Status/ended`` after the manager's end.
  func submit(_ signal: SourceSignal?, at moment: Moment?) async -> SourceLink.Status {
    let content = signal.map { Entry.Content.input(.signal($0)) } ?? .command { _ in }
    return await withCheckedContinuation { taken in
      let entry = Entry(content: content, moment: clock.stamp() ?? moment, completion: taken)
      if case .terminated = continuation.yield(entry) { taken.resume(returning: .ended) }
    }
  }

  /// Refuses further entries; entries already in the queue are still processed.
  func close() {
    continuation.finish()
  }
}
