import Synchronization
import Whereabouts
import WhereaboutsModel

/// The distribution of updates to the open event streams.
///
/// Each stream holds the newest fix of each device, and whether crossings wait in the store. A slow reader therefore
/// costs no memory and causes no delay: it misses older fixes and no crossing.
final class StreamHub: Sendable {
  /// One open stream.
  final class Subscription: Sendable {
    /// The devices of the stream; `nil` for all.
    let device: DeviceID?
    /// The token of the client that reads the stream; `nil` for a part of the server.
    let token: AccessToken?
    private let unsent = Mutex(Unsent())
    /// A value for each time that something may be new.
    let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// The fixes and crossings that the stream has not sent.
    struct Unsent: Sendable {
      /// The newest fix of each device.
      var fixes: [DeviceID: Fix] = [:]
      /// Whether fixes were stored that leave the newest one as it is.
      var hasLateFixes = false
      /// Whether the store may have crossings that the stream has not sent. A new stream checks first.
      var hasCrossings = true
      /// The devices of which data were erased.
      var erased: Set<DeviceID> = []
      /// The devices with another battery level.
      var batteries: Set<DeviceID> = []
    }

    /// Whether a client reads the stream, and not a part of the server.
    var isClient: Bool { token != nil }

    init(device: DeviceID?, token: AccessToken?) {
      self.device = device
      self.token = token
      (wakes, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// - Parameter isNew: whether the fix is another one than before. A client gets no event of an unchanged fix; a part
    ///   of the server gets the fix, because late fixes may change more.
    func insert(_ fix: Fix, of device: DeviceID, isNew: Bool) {
      guard self.device == nil || self.device == device else { return }
      if isNew || !isClient {
        unsent.withLock { $0.fixes[device] = fix }
      } else {
        unsent.withLock { $0.hasLateFixes = true }
      }
      waker.yield()
    }

    func insertCrossings() {
      unsent.withLock { $0.hasCrossings = true }
      waker.yield()
    }

    /// A client gets no event of a battery.
    func insertBattery(of device: DeviceID) {
      guard !isClient else { return }
      unsent.withLock { _ = $0.batteries.insert(device) }
      waker.yield()
    }

    /// Makes the stream send a sign of life.
    func wake() { waker.yield() }

    func finish() { waker.finish() }

    /// Removes the waiting fix of a device, of which data were erased.
    func forget(_ device: DeviceID) {
      unsent.withLock { unsent in
        unsent.fixes[device] = nil
        if !isClient { unsent.erased.insert(device) }
      }
      if !isClient { waker.yield() }
    }

    /// Returns and clears the unsent items.
    func drain() -> Unsent {
      unsent.withLock { unsent in
        let drained = unsent
        unsent = Unsent(hasCrossings: false)
        return drained
      }
    }
  }

  private struct State {
    var subscriptions: [ObjectIdentifier: Subscription] = [:]
    var clients = 0
    /// The number of open streams of each token.
    var byToken: [AccessToken.ID: Int] = [:]
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Opens a stream of a client.
  ///
  /// - Parameter limit: the greatest number of open streams of clients; for one token half of it.
  /// - Returns: `nil` if there are too many, or if the server ends.
  func subscribe(device: DeviceID?, token: AccessToken, limit: Int) -> Subscription? {
    insert(Subscription(device: device, token: token), limit: limit)
  }

  /// Opens a stream of all devices for a part of the server.
  ///
  /// - Returns: `nil` if the server ends.
  func follow() -> Subscription? { insert(Subscription(device: nil, token: nil), limit: .max) }

  private func insert(_ subscription: Subscription, limit: Int) -> Subscription? {
    state.withLock { state in
      guard !state.isFinished else { return nil }
      if let token = subscription.token {
        let own = state.byToken[token.id] ?? 0
        guard state.clients < limit, own < limit.tokenShare else { return nil }
        state.clients += 1
        state.byToken[token.id] = own + 1
      }
      state.subscriptions[ObjectIdentifier(subscription)] = subscription
      return subscription
    }
  }

  func unsubscribe(_ subscription: Subscription) {
    state.withLock { state in
      let removed = state.subscriptions.removeValue(forKey: ObjectIdentifier(subscription))
      guard let token = removed?.token else { return }
      state.clients -= 1
      let own = (state.byToken[token.id] ?? 1) - 1
      state.byToken[token.id] = own > 0 ? own : nil
    }
    subscription.finish()
  }

  /// Passes a device's newest fix to the streams after a commit.
  ///
  /// - Parameter isNew: whether the commit has changed the newest fix.
  func publish(_ fix: Fix, of device: DeviceID, isNew: Bool = true) {
    for subscription in all { subscription.insert(fix, of: device, isNew: isNew) }
  }

  /// Makes the parts of the server use the new battery level of a device.
  func batteryChanged(of device: DeviceID) {
    for subscription in all { subscription.insertBattery(of: device) }
  }

  /// Makes every stream check for new crossings in the store.
  func crossingsWereStored() {
    for subscription in all { subscription.insertCrossings() }
  }

  /// Removes the waiting data of an erased device.
  func forget(_ device: DeviceID) {
    for subscription in all { subscription.forget(device) }
  }

  /// Ends the streams of an erased device. A client that opens its stream again finds the device gone.
  func endStreams(of device: DeviceID) {
    for subscription in all where subscription.device == device { unsubscribe(subscription) }
  }

  /// Ends the streams of tokens that were revoked or have expired.
  func endStreams(withoutValidTokenIn tokens: TokenRegistry) {
    let now = UTCTime.now
    for subscription in all {
      if let token = subscription.token, !tokens.isValid(token, at: now) { unsubscribe(subscription) }
    }
  }

  /// Makes every stream send a sign of life, which finds connections that are gone.
  func keepAlive() {
    for subscription in all { subscription.wake() }
  }

  /// Ends every stream, because the server ends.
  func finish() {
    let open = state.withLock { state in
      state.isFinished = true
      defer {
        state.subscriptions = [:]
        state.clients = 0
        state.byToken = [:]
      }
      return Array(state.subscriptions.values)
    }
    for subscription in open { subscription.finish() }
  }

  private var all: [Subscription] { state.withLock { Array($0.subscriptions.values) } }
}
