import Synchronization
import Testing
import Whereabouts
import WhereaboutsModel

@testable import WhereaboutsSources

/// The source over all attached receivers, with a receiver that the tests control.
@Suite struct AttachedReceiverSourceTests {
  private final class Permission: Sendable {
    let isGranted = Mutex(false)
  }

  /// A receiver that is refused until the permission is granted, and then has no fix.
  private struct Receiver: LocationSource {
    let permission: Permission

    func run(_ link: SourceLink) async {
      for await demand in link.demands where demand != .off {
        if permission.isGranted.withLock({ $0 }) {
          await link.send(.unavailable(SourceProblem(.noPosition, message: "see the sky")))
        } else {
          await link.send(.authorization(Authorization(.denied, noticesChanges: false)))
        }
      }
    }
  }

  /// Otherwise a request without a sky ends as "not determined", and a timeout that waits for permission never starts.
  @Test func permissionGrantedSinceADenialIsReportedBeforeTheFirstFix() async {
    let permission = Permission()
    var rig = SourceHarness(
      AttachedReceiverSource(
        find: { [.file(path: "/nowhere")] }, makeSource: { _ in Receiver(permission: permission) }))
    guard case .authorization(let denied)? = await rig.next(), denied.isRefused else {
      Issue.record("no denial")
      return
    }
    rig.setDemand(.off)
    permission.isGranted.withLock { $0 = true }
    rig.setDemand(SourceHarness.defaultDemand)
    guard case .authorization(let granted)? = await rig.next() else {
      Issue.record("the permission was not reported")
      return
    }
    #expect(granted == Authorization(.always))
    guard case .unavailable(let problem)? = await rig.next() else {
      Issue.record("the problem was not reported, or the permission was reported twice")
      return
    }
    #expect(problem.code == .noPosition)
    _ = await rig.end()
  }
}
