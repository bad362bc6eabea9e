/// How does it stand with power, and what does that allow?
extension LocationManager {
  /// Says how it stands with the host's power, and whether somebody looks. Until it is said nothing is known, and nothing
  /// is spared for it.
  ///
  /// For programs that are told by their platform; elsewhere a ``PowerMonitor`` does it.
  public func setPower(_ state: PowerState) {
    inbox.put(.input(.power(state)))
  }

  /// What was last said of the host's power.
  public var powerState: PowerState {
    get async { await look { $0.powerState } ?? .unknown }
  }

  /// What is asked of the source, given what is needed and how it stands with power; `nil` once the manager is gone.
  public var powerDecision: PowerDecision? {
    get async { await look { $0.power } }
  }

  private func look<Value: Sendable>(_ read: @escaping @Sendable (Engine) -> Value) async -> Value? {
    let promise = Promise<Value>()
    return inbox.put(.look { await promise.fulfil(read($0)) }) ? await promise.result : nil
  }
}
