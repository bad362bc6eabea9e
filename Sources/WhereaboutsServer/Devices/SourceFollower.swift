import ServiceLifecycle
import Whereabouts
import WhereaboutsModel

/// The service for a device with a source of this machine: stores, measures and forwards its fixes.
struct SourceFollower: Service {
  let source: any LocationSource
  /// The session of the device, which stays loaded until the server ends.
  let session: DeviceSession
  let hub: StreamHub

  func run() async throws {
    let manager = session.manager
    // Day trips and streams must not miss the first fix of a recording.
    let fixes = manager.fixes(.room, keeping: source.timing == .recorded ? .waiting(upTo: 16) : .newest(16))
    manager.startSource()
    await cancelWhenGracefulShutdown {
      for await fix in fixes {
        await session.begin(fix.time)
        hub.publish(fix, of: session.device)
      }
      // A recording that is over leaves its device readable until the server ends.
      try? await gracefulShutdown()
    }
  }
}
