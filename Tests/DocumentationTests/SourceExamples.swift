import Testing
import Whereabouts
import WhereaboutsTesting

/// The code of "Bring a source of your own".
@Suite struct SourceExamples {
  struct SerialSource: LocationSource {
    let receiver: Receiver

    func run(_ link: SourceLink) async {
      for await demand in link.demands {
        guard demand.fixes != .off else {
          await receiver.powerDown()
          continue
        }
        do {
          try await receiver.powerUp { fix in
            await link.send(.fix(fix, age: .sinceArrival))
          }
        } catch {
          let problem = SourceProblem(.unreachable, message: "reach the receiver", remedy: "Plug it in.")
          await link.send(.failed(problem))
        }
      }
      await receiver.powerDown()
    }
  }

  @Test func receiverIsOnWhileNeeded() async throws {
    let receiver = Receiver()
    let manager = LocationManager(source: SerialSource(receiver: receiver), clock: StepClock().managerClock)
    let request = manager.request(.house, timeout: nil)
    await receiver.becomes(isOn: true)
    await receiver.solve(.marienplatz(accuracy: 12))
    #expect(await request.answer?.fix.horizontalAccuracy == 12)
    await receiver.becomes(isOn: false)
  }

  @Test func missingReceiverIsRetried() async throws {
    let receiver = Receiver()
    await receiver.unplug()
    let manager = LocationManager(source: SerialSource(receiver: receiver), clock: StepClock().managerClock)
    for _ in 1...2 {
      guard case .sourceFailed(let problem, best: nil) = await manager.request(.house, timeout: nil).outcome
      else {
        Issue.record("it is not there")
        return
      }
      #expect(problem.code == .unreachable)
    }
  }
}

/// A receiver as its maker's library might present it.
actor Receiver {
  struct Unplugged: Error {}

  private var deliver: (@Sendable (Fix) async -> Void)?
  private var isAttached = true
  private var waiting: [(isOn: Bool, continuation: CheckedContinuation<Void, Never>)] = []

  func powerUp(deliver: @escaping @Sendable (Fix) async -> Void) throws {
    guard isAttached else { throw Unplugged() }
    self.deliver = deliver
    resumeWaiters()
  }

  func powerDown() {
    deliver = nil
    resumeWaiters()
  }

  func unplug() { isAttached = false }

  func solve(_ fix: Fix) async { await deliver?(fix) }

  func becomes(isOn: Bool) async {
    guard isOn != (deliver != nil) else { return }
    await withCheckedContinuation { waiting.append((isOn, $0)) }
  }

  private func resumeWaiters() {
    let isOn = deliver != nil
    for waiter in waiting where waiter.isOn == isOn { waiter.continuation.resume() }
    waiting.removeAll { $0.isOn == isOn }
  }
}
