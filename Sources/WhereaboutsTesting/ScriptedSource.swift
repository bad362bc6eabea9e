public import Whereabouts

/// A source that emits signals on request of a test, and records the demands it receives.
///
/// All copies are the same source. A source belongs to one manager. Until the manager exists and has started the source
/// (``Whereabouts/LocationManager/startSource()``), a call that emits a signal waits.
public struct ScriptedSource: LocationSource {
  private struct ScriptedSignal: Sendable {
    let signal: SourceSignal
    let isProcessed: Promise<SourceLink.Status>
  }

  /// The authorization that the source needs before fixes are available.
  public let authorizationNeeds: Authorization.Needs
  private let script: AsyncStream<ScriptedSignal>
  private let scriptContinuation: AsyncStream<ScriptedSignal>.Continuation
  private let record = SourceRecord()

  /// Creates a source that has emitted nothing.
  ///
  /// - Parameter needs: the authorization needed before fixes are available. With
  ///   ``Whereabouts/Authorization/Needs/userConsent(requestable:)`` permission is not determined until the test
  ///   changes it with ``emit(_:)-(Authorization)``.
  public init(authorizationNeeds needs: Authorization.Needs = .none) {
    authorizationNeeds = needs
    (script, scriptContinuation) = AsyncStream.makeStream(of: ScriptedSignal.self)
  }

  // MARK: Signals

  /// Emits a signal, and returns after the engine has processed it and notified every consumer.
  ///
  /// Everything sent to the manager before has then been processed too. A subscriber with
  /// ``Whereabouts/FixBuffering/waiting(upTo:)`` that is behind delays the return.
  ///
  /// - Returns: the status with the demand from then on; ``Whereabouts/SourceLink/Status/ended`` once the manager is
  ///   gone or ``end()`` was called.
  /// - Cancellation: A task that is cancelled while it waits gets ``Whereabouts/SourceLink/Status/ended``; the signal
  ///   is emitted all the same.
  @discardableResult
  public func emit(_ signal: SourceSignal) async -> SourceLink.Status {
    let processed = Promise<SourceLink.Status>()
    if case .terminated = scriptContinuation.yield(ScriptedSignal(signal: signal, isProcessed: processed)) {
      return .ended
    }
    return if case .value(let status) = await processed.wait() { status } else { .ended }
  }

  /// Emits a fix as a live receiver would.
  @discardableResult
  public func emit(_ fix: Fix, age: SourceSignal.AgeRule = .sinceArrival) async -> SourceLink.Status {
    await emit(.fix(fix, age: age))
  }

  /// Emits an authorization: whether the program may know where the device is.
  @discardableResult
  public func emit(_ authorization: Authorization) async -> SourceLink.Status {
    await emit(.authorization(authorization))
  }

  /// Gives up until the next demand.
  @discardableResult
  public func fail(_ problem: SourceProblem) async -> SourceLink.Status {
    await emit(.failed(problem))
  }

  /// Ends the source as at the end of a recording. Earlier signals are processed first.
  public func end() {
    scriptContinuation.finish()
  }

  // MARK: Demands

  /// Waits until the source receives an expected demand. The latest demand counts too if it is the expected one.
  ///
  /// - Cancellation: A task that is cancelled while it waits gets the latest demand, expected or not.
  public func demand(_ isExpected: @escaping @Sendable (Demand) -> Bool) async -> Demand {
    if let demand = await record.demands.next(isExpected) { return demand }
    return await record.demands.all.last ?? .off
  }

  /// The received demands, in order. A repeated demand asks a source again that had given up.
  ///
  /// The list includes everything the engine has processed. After ``emit(_:)-(SourceSignal)`` or the end of a request
  /// no earlier demand is missing.
  public var demands: [Demand] {
    get async { await record.demands.all }
  }

  /// Waits until the engine requests authorization from the person, and returns the level. An earlier request counts
  /// too.
  ///
  /// - Cancellation: A task that is cancelled while it waits gets `nil`.
  public func authorizationRequest() async -> Authorization.Level? {
    await record.authorizationRequests.next { _ in true }
  }

  /// The requested levels of authorization, in order.
  public var authorizationRequests: [Authorization.Level] {
    get async { await record.authorizationRequests.all }
  }

  // MARK: LocationSource

  /// Runs until the script ends or the manager is gone.
  public func run(_ link: SourceLink) async {
    // The task is separate and not cancelled: a caller that still waits must get an answer.
    let speaking = Task {
      for await line in script { await line.isProcessed.fulfil(await link.send(line.signal)) }
    }
    await withTaskCancellationHandler {
      await speaking.value
    } onCancel: {
      scriptContinuation.finish()
    }
  }
}

extension ScriptedSource: SourceObserver {
  package func demandDidChange(to demand: Demand) async {
    await record.demands.record(demand)
  }

  package func authorizationRequested(for level: Authorization.Level) async {
    await record.authorizationRequests.record(level)
  }
}
