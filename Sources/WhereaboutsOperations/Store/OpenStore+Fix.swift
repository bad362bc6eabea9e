import Whereabouts
package import WhereaboutsModel
import WhereaboutsStore

extension OpenStore {
  /// Stores the position of the device and the sides of the fences for the next watch.
  ///
  /// The method does nothing if a watch runs on the store, because the watch has its own fixes.
  package func save(_ fix: Fix) async {
    guard let claim = try? base.claim(device, as: "whereabouts fence add") else { return }
    let (kept, done) = AsyncStream.makeStream(of: Never.self)
    let manager = LocationManager(
      source: SingleFixSource(fix: fix, done: done), clock: .system, store: base, device: device)
    for await _ in kept {}
    withExtendedLifetime((manager, claim)) {}
  }
}

/// A source that sends a single fix, for any demand.
private struct SingleFixSource: LocationSource {
  let fix: Fix
  let done: AsyncStream<Never>.Continuation

  func run(_ link: SourceLink) async {
    // Returns after the engine has processed the fix and the store has the result.
    await link.send(.fix(fix, age: .sinceArrival))
    done.finish()
  }
}
