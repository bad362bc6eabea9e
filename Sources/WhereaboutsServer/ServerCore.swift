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
  let liveLimits: LiveLimits
  let logger: Logger

  /// The limits of requests now.
  var limits: ServerLimits { liveLimits.current }
}
