public import Whereabouts

/// A source that says what a test tells it to say, and remembers what was asked of it.
///
/// Copies are the same source. It belongs to one manager: until that has been made, whoever says something waits.
public struct ScriptedSource: LocationSource {
  private struct Line: Sendable {
    let signal: SourceSignal
    let told: Promise<EngineStatus>
  }

  /// What must be allowed before there are fixes.
  public let authorizationNeeds: AuthorizationNeeds
  private let script: AsyncStream<Line>
  private let lines: AsyncStream<Line>.Continuation
  private let record = SourceRecord()

  /// A source that says nothing yet.
  ///
  /// - Parameter needs: what must be allowed before there are fixes. With
  ///   ``Whereabouts/AuthorizationNeeds/person(askable:)`` permission is not determined until the test says otherwise
  ///   with ``say(_:)-(Authorization)``.
  public init(authorizationNeeds needs: AuthorizationNeeds = .none) {
    authorizationNeeds = needs
    (script, lines) = AsyncStream.makeStream(of: Line.self)
  }

  // MARK: What it says

  /// Says something, and returns when the engine has judged it and everyone has been told.
  ///
  /// Everything that was put to the manager before has then been taken too. Where a subscriber asked that sources wait for
  /// it (``Whereabouts/FixBuffering/waiting(upTo:)``) and is behind, this waits for that subscriber.
  ///
  /// - Returns: what is needed from then on; ``Whereabouts/EngineStatus/over`` once the manager is gone or ``end()`` was
  ///   called.
  /// - Cancellation: a task that is cancelled while it waits gets ``Whereabouts/EngineStatus/over``; the signal is said all
  ///   the same.
  @discardableResult
  public func say(_ signal: SourceSignal) async -> EngineStatus {
    let told = Promise<EngineStatus>()
    if case .terminated = lines.yield(Line(signal: signal, told: told)) { return .over }
    return if case .value(let status) = await told.wait() { status } else { .over }
  }

  /// Says a fix as a live receiver would.
  @discardableResult
  public func say(_ fix: Fix, age: AgeRule = .sinceArrival) async -> EngineStatus {
    await say(.fix(fix, age: age))
  }

  /// Says whether the program may know where the device is.
  @discardableResult
  public func say(_ authorization: Authorization) async -> EngineStatus {
    await say(.authorization(authorization))
  }

  /// Gives up until it is asked again.
  @discardableResult
  public func fail(_ trouble: SourceTrouble) async -> EngineStatus {
    await say(.failed(trouble))
  }

  /// Comes to its end, as a recording does. What was said before is heard first.
  public func end() {
    lines.finish()
  }

  // MARK: What is asked of it

  /// Waits until this is asked of the source (it may have been asked before, if nothing else has since).
  ///
  /// - Cancellation: a task that is cancelled while it waits gets what was asked last, expected or not.
  public func demand(_ isExpected: @escaping @Sendable (Demand) -> Bool) async -> Demand {
    if let demand = await record.demands.next(isExpected) { return demand }
    return await record.demands.all.last ?? .off
  }

  /// Each demand that was asked, in order; one that repeats the one before asks a source that had given up once more.
  ///
  /// Complete up to whatever the engine has taken, so after ``say(_:)-(SourceSignal)`` or the end of a request nothing
  /// that came before is missing.
  public var demands: [Demand] {
    get async { await record.demands.all }
  }

  /// Waits until the person is to be asked for something (they may have been already), and says for what.
  ///
  /// - Cancellation: a task that is cancelled while it waits gets `nil`.
  public func question() async -> Authorization.Level? {
    await record.questions.next { _ in true }
  }

  /// What the person was to be asked for, in order.
  public var questions: [Authorization.Level] {
    get async { await record.questions.all }
  }

  // MARK: The source

  /// Runs until the script ends or the manager is gone.
  public func run(_ link: SourceLink) async {
    // On a task of its own, which is not cancelled: whoever still waits to be heard must get an answer.
    let speaking = Task {
      for await line in script { await line.told.fulfil(await link.send(line.signal)) }
    }
    await withTaskCancellationHandler {
      await speaking.value
    } onCancel: {
      lines.finish()
    }
  }
}

extension ScriptedSource: SourceWitness {
  package func isAsked(for demand: Demand) async {
    await record.demands.note(demand)
  }

  package func isToAsk(for level: Authorization.Level) async {
    await record.questions.note(level)
  }
}
