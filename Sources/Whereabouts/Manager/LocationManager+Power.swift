import WhereaboutsEngine

/// The host's power state and the resulting power decision.
extension LocationManager {
  /// Sets the host's power and foreground state. Before the first call the power state is unknown and reduces no
  /// demand.
  ///
  /// For programs whose platform reports power changes; elsewhere a ``PowerMonitor`` sets the state.
  public func setPower(_ state: PowerState) {
    inbox.enqueue(.power(state))
  }

  /// The last reported state of the host's power; unknown before the first report and after the manager's
  /// end.
  public var powerState: PowerState {
    get async { await inbox.perform { $0.engine.powerState } ?? .unknown }
  }

  /// The demand on the source, given the needs and the power state; `nil` after the manager's end.
  public var powerDecision: PowerDecision? {
    get async { await inbox.perform { $0.engine.power } }
  }
}
