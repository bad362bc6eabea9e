import WhereaboutsEngine

/// The host's power state and the resulting power decision.
extension LocationManager {
  /// Sets the host's power state and whether a person watches. Before the first call the power state is unknown and
  /// reduces no demand.
  ///
  /// For programs whose platform reports power changes; elsewhere a ``PowerMonitor`` sets the state.
  public func setPower(_ state: PowerState) {
    inbox.enqueue(.input(.power(state)))
  }

  /// The last reported state of the host's power; unknown before the first report and after the manager's
  /// end.
  public var powerState: PowerState {
    get async { await inspect { $0.powerState } ?? .unknown }
  }

  /// The demand on the source, given the needs and the power state; `nil` after the manager's end.
  public var powerDecision: PowerDecision? {
    get async { await inspect { $0.power } }
  }

  private func inspect<Value: Sendable>(_ read: @escaping @Sendable (Engine) -> Value) async -> Value? {
    let promise = Promise<Value>()
    return inbox.enqueue(.inspect { await promise.fulfil(read($0)) }) ? await promise.result : nil
  }
}
