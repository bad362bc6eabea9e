import Whereabouts
import WhereaboutsModel

/// A reporter of the store's failures and recoveries on standard error. Each change is reported once.
actor StoreHealthReporter {
  private var error: StoreError?
  private var loadError: StoreError?
  private var failure: CommandError?

  /// Monitors the store's health until the manager is gone or the task is cancelled.
  func monitor(_ manager: LocationManager) async {
    for await health in manager.storeHealth { process(health) }
  }

  /// Processes a change of the store's health.
  func process(_ health: StoreHealth) {
    switch health {
    case .none: break
    case .working:
      if error != nil {
        StandardError.print("whereabouts: the store works again; delayed records are stored")
      }
      error = nil
      if let loadError {
        StandardError.print("whereabouts: the store is loaded now; earlier records are not stored")
        failure = CommandError("the first records were not stored: \(loadError)")
      }
      loadError = nil
    case .failing(let new):
      if error?.code != new.code {
        StandardError.print("whereabouts: could not store records: \(new); continuing")
      }
      error = new
    case .unusable(let new):
      loadError = new
      failure = CommandError(new)
      failure?.message += ". Nothing was stored. Pass --no-store to run without a store."
    }
  }

  /// The error at the end of the run; `nil` if everything is stored.
  var finalError: CommandError? {
    failure ?? error.map { CommandError("the last records were not stored: \($0)") }
  }
}
