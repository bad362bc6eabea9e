import Logging
import WhereaboutsStore

/// The parts of a server that its routes share.
struct ServerCore: Sendable {
  let store: SQLiteStore
  let devices: DeviceRegistry
  let fences: SharedFences
  let authenticator: Authenticator
  let hub: StreamHub
  let metrics: ServerMetrics
  let limits: ServerLimits
  /// Whether the device `this` has a source of this machine.
  let hasSource: Bool
  let logger: Logger
}
