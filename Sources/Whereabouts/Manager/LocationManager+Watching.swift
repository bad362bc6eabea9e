/// How do things stand, and why did it do what it did? None of these asks anything of the source.
extension LocationManager {
  /// How things stand between the program and its source: permission, headings, whether it delivers.
  public var status: ServiceStatus {
    get async {
      let promise = Promise<ServiceStatus>()
      return inbox.put(.status(promise))
        ? await promise.result
        : ServiceStatus(authorization: Authorization(.notDetermined), source: .ended(nil))
    }
  }

  /// The last fix that was used, as old as it is; `nil` before the first, and where fixes may not be had.
  ///
  /// It may be of any age and quality. Asking for it starts nothing.
  public var lastFix: Answer? {
    get async {
      let promise = Promise<Answer?>()
      return inbox.put(.lastFix(promise)) ? await promise.result : nil
    }
  }

  /// How things stand: now, then each time it changes.
  public var statuses: StateStream<ServiceStatus> {
    StateStream { [inbox] in inbox.put(.watch(.statuses($0))) }
  }

  /// Whether fixes may be had: now, then each time it changes.
  ///
  /// Nobody is asked for permission by watching; that happens once somebody needs a fix.
  public var authorizations: StateStream<Authorization> {
    StateStream { [inbox] in inbox.put(.watch(.authorizations($0))) }
  }

  /// Whether what must outlive the process is being kept: now, then each time it changes.
  public var storeHealth: StateStream<StoreHealth> {
    StateStream { [inbox] in inbox.put(.watch(.storeHealth($0))) }
  }

  /// Writes down what waits for the store, and how things stand, so that a process which ends now leaves nothing behind.
  ///
  /// - Returns: whether everything is kept.
  public func keep() async -> StoreHealth {
    let promise = Promise<StoreHealth>()
    guard inbox.put(.keep(promise)) else { return .none }
    return await promise.result
  }

  /// What is decided from now on, each with its numbers: fixes refused, requests ended, other things asked of the source.
  ///
  /// - Parameter buffering: what to keep while the listener is busy.
  public func decisions(keeping buffering: EventBuffering = .all(upTo: 1000)) -> EventStream<DecisionEntry> {
    EventStream(keeping: buffering) { inbox.put(.watch(.decisions($0))) }
  }
}
