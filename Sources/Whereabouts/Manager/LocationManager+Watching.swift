/// Observation of a manager: status, last fix and decisions. Observing asks nothing of the source.
extension LocationManager {
  /// The status of the source: permission, headings and delivery.
  public var status: ServiceStatus {
    get async {
      let promise = Promise<ServiceStatus>()
      return inbox.enqueue(.status(promise))
        ? await promise.result
        : ServiceStatus(authorization: Authorization(.notDetermined), source: .ended(nil))
    }
  }

  /// The last used fix with its age; `nil` before the first, and while fixes are not permitted.
  ///
  /// The fix may have any age and quality. Reading the property starts nothing.
  public var lastFix: Answer? {
    get async {
      let promise = Promise<Answer?>()
      return inbox.enqueue(.lastFix(promise)) ? await promise.result : nil
    }
  }

  /// The status: the current one, then each change.
  public var statuses: StateStream<ServiceStatus> {
    StateStream { [inbox] in inbox.enqueue(.observe(.statuses($0))) }
  }

  /// The authorization: the current one, then each change.
  ///
  /// Watching asks nobody for permission. The manager asks when a consumer needs a fix.
  public var authorizations: StateStream<Authorization> {
    StateStream { [inbox] in inbox.enqueue(.observe(.authorizations($0))) }
  }

  /// The health of the store: the current one, then each change.
  public var storeHealth: StateStream<StoreHealth> {
    StateStream { [inbox] in inbox.enqueue(.observe(.storeHealth($0))) }
  }

  /// Writes the pending changes and a snapshot to the store, so that a process which ends now loses nothing.
  ///
  /// - Returns: the health of the store.
  public func save() async -> StoreHealth {
    let promise = Promise<StoreHealth>()
    guard inbox.enqueue(.save(promise)) else { return .none }
    return await promise.result
  }

  /// Returns the decisions from now on, with their numbers: refused fixes, ended requests, changed demands.
  ///
  /// - Parameter buffering: the events to keep while the listener is busy.
  public func decisions(keeping buffering: EventBuffering = .all(upTo: 1000)) -> EventStream<DecisionEntry> {
    EventStream(keeping: buffering) { inbox.enqueue(.observe(.decisions($0))) }
  }
}
