public import Whereabouts

/// A source that says what a test tells it to say, and remembers what was asked of it.
///
/// Copies are the same source.
public struct ScriptedSource: LocationSource {
  private enum Line: Sendable {
    case signal(SourceSignal, told: CheckedContinuation<EngineStatus, Never>)
    case end
  }

  private let script: AsyncStream<Line>
  private let lines: AsyncStream<Line>.Continuation
  private let record = DemandRecord()

  /// A source that says nothing yet.
  public init() {
    (script, lines) = AsyncStream.makeStream(of: Line.self)
  }

  /// Says something, and returns when the engine has judged it and everyone has been told.
  ///
  /// - Returns: what is needed from then on; ``EngineStatus/over`` once the manager is gone.
  @discardableResult
  public func say(_ signal: SourceSignal) async -> EngineStatus {
    await withCheckedContinuation { told in
      if case .terminated = lines.yield(.signal(signal, told: told)) { told.resume(returning: .over) }
    }
  }

  /// Says a fix as a live receiver would.
  @discardableResult
  public func say(_ fix: Fix, age: AgeRule = .sinceArrival) async -> EngineStatus {
    await say(.fix(fix, age: age))
  }

  /// Comes to its end, as a recording does.
  public func end() {
    lines.yield(.end)
    lines.finish()
  }

  /// Waits until this is asked of the source (it may have been asked before, if nothing else has since).
  public func demand(_ isExpected: @escaping @Sendable (Demand) -> Bool) async -> Demand {
    await record.wait(isExpected)
  }

  /// What was asked, in order. Demands that follow each other faster than the source takes them count as the last.
  public var demands: [Demand] {
    get async { await record.all }
  }

  /// Runs until the script ends or the manager is gone.
  public func run(_ link: SourceLink) async {
    let noting = Task {
      for await demand in link.demands { await record.note(demand) }
    }
    // On a task of its own, which is not cancelled: whoever still waits to be heard must get an answer.
    let speaking = Task {
      for await line in script {
        guard case .signal(let signal, let told) = line else { break }
        told.resume(returning: await link.send(signal))
      }
      await link.send(.ended)
    }
    await withTaskCancellationHandler {
      await speaking.value
      await noting.value
    } onCancel: {
      lines.finish()
    }
  }
}

private actor DemandRecord {
  private(set) var all: [Demand] = []
  private var waiting:
    [(isExpected: @Sendable (Demand) -> Bool, continuation: CheckedContinuation<Demand, Never>)] =
      []

  func note(_ demand: Demand) {
    all.append(demand)
    waiting.removeAll { waiter in
      guard waiter.isExpected(demand) else { return false }
      waiter.continuation.resume(returning: demand)
      return true
    }
  }

  func wait(_ isExpected: @escaping @Sendable (Demand) -> Bool) async -> Demand {
    if let last = all.last, isExpected(last) { return last }
    return await withCheckedContinuation { waiting.append((isExpected, $0)) }
  }
}
