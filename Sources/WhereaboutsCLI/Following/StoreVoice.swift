import Whereabouts
import WhereaboutsCore

/// Says on standard error when what comes can't be kept, and when it can again: each once.
actor StoreVoice {
  private var trouble: StoreTrouble?
  private var failure: CommandFailure?

  /// Listens until the manager is gone or the task is cancelled.
  func listen(to manager: LocationManager) async {
    for await health in manager.storeHealth { take(health) }
  }

  /// Takes how things stand.
  func take(_ health: StoreHealth) {
    switch health {
    case .none: break
    case .keeping:
      if trouble != nil { StandardError.say("whereabouts: saving again; what had to wait is saved") }
      trouble = nil
    case .notKeeping(let new):
      if trouble?.code != new.code { StandardError.say("whereabouts: not saving: \(new); going on") }
      trouble = new
    case .unusable(let new):
      failure = CommandFailure(new)
      failure?.message += ". Nothing was saved; --no-store goes without"
    }
  }

  /// What to fail with at the end; `nil` where everything is kept.
  var end: CommandFailure? {
    failure ?? trouble.map { CommandFailure("what came last is not saved: \($0)") }
  }
}
