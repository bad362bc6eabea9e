import WhereaboutsEngine

/// Observation of a manager: status, last fix and decisions. Observing asks nothing of the source.
extension LocationManager {
  /// The status of the source: permission, headings and delivery.
  public var status: ServiceStatus {
    get async {
      await inbox.perform { $0.engine.status }
        ?? ServiceStatus(authorization: Authorization(.notDetermined), source: .ended(nil))
    }
  }

  /// The last used fix with its age; `nil` before the first, and while fixes are not permitted.
  ///
  /// The fix may have any age and quality. Before the first fix of this process, it is the stored one of an earlier
  /// process, if the wall clock shows its age. A place that the platform may have cached is not asked for. Reading the
  /// property starts nothing.
  public var lastFix: Answer? {
    get async {
      await inbox.perform { $0.engine.lastFix(at: $0.now.instant) } ?? nil
    }
  }

  /// The status: the current one, then each change.
  public var statuses: StateStream<ServiceStatus> {
    StateStream { [inbox] mailbox in inbox.enqueue { await $0.observers.statuses.attach(mailbox) } }
  }

  /// The authorization: the current one, then each change.
  ///
  /// Watching requests no permission. The manager requests it when a consumer needs a fix.
  public var authorizations: StateStream<Authorization> {
    StateStream { [inbox] mailbox in inbox.enqueue { await $0.observers.authorizations.attach(mailbox) } }
  }

  /// The health of the store: the current one, then each change.
  public var storeHealth: StateStream<StoreHealth> {
    StateStream { [inbox] mailbox in inbox.enqueue { await $0.observers.storeHealth.attach(mailbox) } }
  }

  /// Writes the pending changes and a snapshot to the store, so that a process which ends now loses nothing.
  ///
  /// - Returns: the health of the store.
  public func save() async -> StoreHealth {
    await inbox.perform { await $0.saveAll() } ?? .none
  }

  /// Saves, and ends the manager as the end of the process would: no further input is processed. Open trips stay as
  /// saved, and the next process resumes them without a break.
  ///
  /// Later requests are cancelled at once, and later streams end at once.
  ///
  /// - Returns: the health of the store.
  @discardableResult
  package func close() async -> StoreHealth {
    let health = await inbox.perform { await $0.saveAll(isEnding: true) } ?? .none
    inbox.close()
    return health
  }

  /// Returns the decisions from now on, with their numbers: refused fixes, ended requests, changed demands.
  ///
  /// Listening does not keep the manager alive.
  ///
  /// - Parameter buffering: the events to keep while the listener is busy.
  public func decisions(keeping buffering: EventBuffering = .all(upTo: 1000)) -> EventStream<Decision.Entry> {
    EventStream(keeping: buffering) { mailbox in
      inbox.enqueue {
        $0.observers.decisions.attach(mailbox)
      } otherwise: {
        await mailbox.finish()
      }
    }
  }
}
