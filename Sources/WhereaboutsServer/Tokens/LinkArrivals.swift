import Logging
import ServiceLifecycle
import Whereabouts
import WhereaboutsEngine
import WhereaboutsModel
import WhereaboutsStore

/// The end of links whose device has entered their destination.
///
/// A link names the device's last fence record at its creation; the destination is reached by a later one. So a killed
/// server ends the link at its next start, before its first answer.
struct LinkArrivals: Service {
  private static let pageSize = 500

  let core: ServerCore

  func run() async throws {
    guard let subscription = core.hub.follow() else { return }
    defer { core.hub.unsubscribe(subscription) }
    // A device may have arrived since the check before the first request.
    subscription.wake()
    await cancelWhenGracefulShutdown {
      var seen: [AccessToken.ID: UInt64] = [:]
      for await _ in subscription.wakes {
        guard subscription.drain().hasCrossings else { continue }
        do throws(StoreError) { try endArrived(&seen) } catch {
          core.logger.error("links not ended; trying again", metadata: ["code": "\(error.code)"])
          try? await Task.sleep(for: .seconds(1))
          subscription.insertCrossings()
        }
      }
    }
  }

  /// Ends the links whose device has arrived.
  ///
  /// - Parameter seen: the last checked record, for each link.
  /// - Complexity: O(links with a destination + their new records).
  func endArrived(_ seen: inout [AccessToken.ID: UInt64]) throws(StoreError) {
    let links = core.tokens.list().filter { $0.terms.link?.arrival != nil }
    let ids = Set(links.map(\.id))
    seen = seen.filter { ids.contains($0.key) }
    for link in links {
      guard let device = link.device, let arrival = link.terms.link?.arrival,
        try hasArrived(device, at: arrival.fence, after: &seen[link.id, default: arrival.afterNumber])
      else { continue }
      do throws(StoreError) { try core.tokens.revoke(link.id) } catch {
        // Its owner was faster.
        guard error.code == .missing else { throw error }
      }
      core.logger.info("link ended on arrival", metadata: ["link": "\(link.id)"])
    }
  }

  private func hasArrived(
    _ device: DeviceID, at fence: FenceID, after number: inout UInt64
  ) throws(StoreError) -> Bool {
    while true {
      let page = try core.store.fenceRecords(afterNumber: number, of: device, limit: Self.pageSize)
      for entry in page {
        // The number stays before the arrival: if the link can't be ended now, the arrival must be found again.
        if case .event(let event) = entry.record, event.fence == fence, event.kind == .enter { return true }
        number = entry.number
      }
      if page.count < Self.pageSize { return false }
    }
  }
}
