import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

extension OpenStore {
  /// Keeps where the device is, and with it on which side of the fences, for the watch to come.
  ///
  /// Where a watch runs on the store it has fixes of its own, and nothing is done.
  func keep(_ fix: Fix) async {
    guard let claim = try? base.claim(device, as: "whereabouts fence add") else { return }
    let (kept, done) = AsyncStream.makeStream(of: Never.self)
    let manager = LocationManager(
      source: OneFix(fix: fix, done: done), clock: .system, store: base, device: device)
    for await _ in kept {}
    withExtendedLifetime((manager, claim)) {}
  }
}

/// Hands one fix over, whatever is needed.
private struct OneFix: LocationSource {
  let fix: Fix
  let done: AsyncStream<Never>.Continuation

  func run(_ link: SourceLink) async {
    // Returns when the engine has taken it, and what came of it is in the store.
    await link.send(.fix(fix, age: .sinceArrival))
    done.finish()
  }
}
