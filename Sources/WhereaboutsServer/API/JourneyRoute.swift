import HTTPTypes
import Hummingbird
import Logging
import NIOPosix
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel

/// The request for the figures of a link's journey. The track of the journey is the fixes that the link shows.
///
/// The figures are derived from the stored fixes, so late fixes count, and are kept for some seconds. The link ends if
/// the journey is erased, or if late fixes have made another journey of it.
struct JourneyRoute: Sendable {
  let core: ServerCore
  private let cache = JourneyCache()

  func add(to api: RouterGroup<ServerContext>) {
    api.read("devices/:device/journey") { request, context in try await show(request, context) }
  }

  private func show(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await DeviceRoutes(core: core).reader(request, context)
    guard let span = disclosure.journeySpan else {
      throw Problem(.notFound, "The token is no link to a journey.")
    }
    let past = StoredPast(of: device, in: core.store)
    let journey = try await cache.journey(of: disclosure.reader.id) {
      let journeys = try await NIOThreadPool.singleton.runIfActive { try past.journeys(around: span) }
      return journeys.compactMap { disclosure.journey($0, of: device) }.first
    }
    guard let journey else {
      try core.authenticator.end(disclosure.reader)
      core.logger.info("link ended: its journey is gone", metadata: ["link": "\(disclosure.reader.id)"])
      throw Authenticator.unauthorized()
    }
    return .json { body in
      body.appendJSONMember("device", device.rawValue)
      body.appendJSONMembers(of: journey)
    }
  }
}

/// The journeys of links in memory, each for some seconds: the derivation reads the fixes of weeks, and the holder of a
/// link may repeat the request at will.
private actor JourneyCache {
  private static let duration = Duration.seconds(10)

  private struct Entry {
    var began: ContinuousClock.Instant
    var journey: Task<DisclosedJourney?, any Error>
  }

  private var entries: [AccessToken.ID: Entry] = [:]

  /// Returns the journey of a link, and derives it at most once in ten seconds. After a failure, the next request
  /// derives the journey again.
  func journey(
    of link: AccessToken.ID, _ derive: @escaping @Sendable () async throws -> DisclosedJourney?
  ) async throws -> DisclosedJourney? {
    let now = ContinuousClock.now
    entries = entries.filter { now - $0.value.began < Self.duration }
    if let entry = entries[link] { return try await entry.journey.value }
    let journey = Task { try await derive() }
    entries[link] = Entry(began: now, journey: journey)
    do {
      return try await journey.value
    } catch {
      if entries[link]?.journey == journey { entries[link] = nil }
      throw error
    }
  }
}

extension [UInt8] {
  fileprivate mutating func appendJSONMembers(of journey: DisclosedJourney) {
    appendJSONMember("start", journey.start)
    appendJSONMember("startUncertainty", Self.tenth(journey.startUncertainty))
    appendJSONMember("end", journey.end)
    appendJSONMember("endUncertainty", Self.tenth(journey.endUncertainty))
    appendJSONMember("distance", Self.tenth(journey.distance))
    appendJSONMember("uncertainty", Self.tenth(journey.uncertainty))
    appendJSONMember("legs", journey.legs) { body, leg in
      body.appendJSONObject {
        $0.appendJSONMember("mode", leg.mode.rawValue)
        $0.appendJSONMember("start", leg.start)
        $0.appendJSONMember("end", leg.end)
        $0.appendJSONMember("distance", Self.tenth(leg.distance))
      }
    }
  }

  private static func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
