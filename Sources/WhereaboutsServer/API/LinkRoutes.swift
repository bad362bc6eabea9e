import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The paths of links. With a link, the owner of a device shares its location for a while, with readers without an
/// account.
///
/// A link is a token that reads one device, from the newest fix at the link's creation until the link's end: a time,
/// the arrival at a fence, or a number of looks. A link to a journey of the past shows that journey alone. Links that
/// have ended are revoked when the next one is created.
struct LinkRoutes: Sendable {
  /// The shortest and the longest duration of a link, in seconds.
  private static let durations = 60.0...(31 * 86_400)
  private static let greatestCount = 100
  private static let label = "link"

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.read("devices/:device/links") { request, context in try await list(request, context) }
    api.post("devices/:device/links") { request, context in try await create(request, context) }
    api.read("devices/:device/looks") { request, context in try await looks(request, context) }
    api.delete("devices/:device/links/:link") { request, context in try await end(request, context) }
  }

  private func owner(_ request: Request, _ context: ServerContext) async throws -> DeviceID {
    try await DeviceRoutes(core: core).owner(request, context, of: "and make its links").0
  }

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let device = try await owner(request, context)
    let links = links(of: device).filter { !$0.isExpired(at: .now) }
    let looks = Dictionary(grouping: try core.store.looks(at: device, limit: .max), by: \.token)
    return .json { body in
      body.appendJSONMember("links", links) { body, link in
        body.appendJSONObject { $0.appendJSONMembers(of: link, looked: looks[link.id]?.count ?? 0) }
      }
    }
  }

  private func looks(_ request: Request, _ context: ServerContext) async throws -> Response {
    let device = try await owner(request, context)
    let limit = try QueryReader(request).integer("limit", in: 1...StoredLook.limit) ?? 100
    let looks = try core.store.looks(at: device, limit: limit)
    return .json { body in
      body.appendJSONMember("looks", looks) { body, look in
        body.appendJSONObject {
          $0.appendJSONMember("time", look.time)
          $0.appendJSONMember("link", Int(look.token))
          $0.appendJSONMember("label", look.label)
          $0.appendJSONMember("reader", look.reader)
        }
      }
    }
  }

  private func create(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await DeviceRoutes(core: core).owner(
      request, context, of: "and make its links")
    // No gate bounds the number of these bodies.
    let body = BodyReader(of: .object, limits: core.limits)
    let linkRequest = try Self.linkRequest(in: try await body.bytes(of: request))
    let now = UTCTime.now, newest = try core.store.lastFix(of: device)?.fix.fix.time
    let end = now.advanced(by: .seconds(linkRequest.seconds))
    var terms = TokenTerms(
      label: linkRequest.label ?? Self.label, device: device, scopes: [.read],
      accuracyCap: linkRequest.accuracyCap,
      // The holder of an expired token would go on reading with a link.
      expires: min(end, disclosure.reader.terms.expires ?? end), since: newest.map { min($0, now) } ?? now)
    terms.link = try await conditions(of: linkRequest, for: device)
    if let id = linkRequest.journey { terms.restrict(to: try await journey(id, of: device)) }
    if let problem = terms.problem {
      throw Problem(.unprocessableContent, "\(problem.prefix(1).uppercased())\(problem.dropFirst()).")
    }
    let known = links(of: device)
    for link in known where link.isExpired(at: now) { try core.authenticator.end(link) }
    guard known.filter({ !$0.isExpired(at: now) }).count < Self.greatestCount else {
      throw Problem(.conflict, "The device has \(Self.greatestCount) links. End one of them first.")
    }
    let (link, secret) = try await store(terms, of: device, madeBy: disclosure.reader, at: now)
    // The device may have arrived before the link existed.
    if terms.link?.arrival != nil { core.hub.crossingsWereStored() }
    return .json(.created) { body in
      body.appendJSONMembers(of: link, looked: 0)
      body.appendJSONMember("path", "/#token=\(secret)")
    }
  }

  /// Stores a link. Its body may arrive late: a link must not bring back a device that was erased meanwhile, nor be made by
  /// a token that was revoked.
  private func store(
    _ terms: TokenTerms, of device: DeviceID, madeBy reader: AccessToken, at now: UTCTime
  ) async throws -> (token: AccessToken, secret: String) {
    // While the device is used: an erasure before or after it is complete.
    let link = await core.devices.withSession(of: device) {
      _ -> Result<(token: AccessToken, secret: String), any Error> in
      do {
        guard core.authenticator.isValid(reader) else { throw Authenticator.unauthorized() }
        guard try core.store.contains(device) else { throw Problem.noSuchDevice }
        return .success(try core.tokens.create(terms, at: now))
      } catch {
        return .failure(error)
      }
    }
    return try link.get()
  }

  private func end(_ request: Request, _ context: ServerContext) async throws -> Response {
    let device = try await owner(request, context)
    let id = Int64(try context.parameters.require("link"))
    guard let id, links(of: device).contains(where: { $0.id == id }) else { throw Self.noSuchLink }
    do throws(StoreError) { try core.tokens.revoke(id) } catch {
      // Another request or a command was faster.
      guard error.code == .missing else { throw error }
      throw Self.noSuchLink
    }
    return Response(status: .noContent)
  }

  private static let noSuchLink = Problem(.notFound, "There is no such link.")

  /// Returns the journey of a new link.
  private func journey(_ id: String, of device: DeviceID) async throws -> JourneySegment {
    let past = StoredPast(of: device, in: core.store)
    let journey = try await NIOThreadPool.singleton.runIfActive {
      try SegmentID(id).flatMap { try past.journey($0) }
    }
    guard let journey else {
      throw Problem(
        .unprocessableContent, "There is no journey of this id. A late fix may have changed the id.")
    }
    guard !journey.isOpen else { throw Problem(.conflict, "The journey has not ended.") }
    // The link would end with its first request.
    guard try past.hasFix(within: journey.start.time...journey.end.time) else {
      throw Problem(.unprocessableContent, "No fix is stored between the start and the end of the journey.")
    }
    return journey
  }

  /// Returns the conditions of a new link; `nil` for a link that only time ends.
  private func conditions(of request: LinkRequest, for device: DeviceID) async throws -> LinkTerms? {
    guard request.journey == nil || (request.arrival == nil && request.near == nil) else {
      throw Problem(.unprocessableContent, "A link to a journey has no \"arrival\" and no \"near\".")
    }
    guard request.looks != nil || request.arrival != nil || request.near != nil else { return nil }
    var link = LinkTerms()
    link.looks = request.looks
    guard let id = request.arrival.map({ FenceID($0) }) else {
      guard request.near == nil else {
        throw Problem(
          .unprocessableContent, "\"near\" is a distance from the fence of \"arrival\", which is missing.")
      }
      return link
    }
    // Read before the device's place: a crossing meanwhile counts.
    let number = try core.store.lastRecord(of: device, upToPosition: .max)
    guard let fence = await core.fences.fence(id) else {
      throw Problem(.unprocessableContent, "There is no fence with the id of \"arrival\".")
    }
    guard fence.terms.notify.contains(.enter) else {
      throw Problem(
        .unprocessableContent, "The fence of \"arrival\" does not report when a device enters it.")
    }
    let session = await core.devices.retain(device)
    let side = await session.manager.fences.state(of: id)?.side ?? .unknown
    let place = await session.manager.lastFix?.fix.coordinate
    await core.devices.release(session)
    // A fence that was added after the newest fix has no certain side yet. To be found inside is no arrival later.
    let isInside = side == .inside || (side == .unknown && place.map { fence.area.contains($0) } == true)
    guard !isInside else { throw Problem(.conflict, "The device is in that fence already.") }
    link.arrival = LinkTerms.Arrival(fence: id, afterNumber: number)
    link.nearness = request.near.map { distance in
      let center = fence.area.boundingBox.center
      return LinkTerms.Nearness(
        latitude: center.latitude, longitude: center.longitude, distance: distance)
    }
    return link
  }

  /// Returns the links of a device, the oldest first.
  private func links(of device: DeviceID) -> [AccessToken] {
    core.tokens.list().filter { $0.device == device && $0.terms.isLink }
  }

  private struct LinkRequest: Decodable {
    var seconds: Double
    var accuracyCap: Double?
    var label: String?
    var looks: Int?
    var arrival: String?
    var near: Double?
    var journey: String?

    private enum Key: String, CodingKey, CaseIterable {
      case seconds, accuracyCap, label, looks, arrival, near, journey

      var form: String {
        switch self {
        case .seconds: "a number of seconds"
        case .accuracyCap, .near: "a number of metres"
        case .looks: "a whole number"
        case .label, .arrival, .journey: "a text"
        }
      }
    }

    /// Returns the form of a member; `nil` for an unknown one.
    static func rule(of member: any CodingKey) -> String? {
      Key(stringValue: member.stringValue).map { "\($0.stringValue) is \($0.form)" }
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.strictContainer(Key.self)
      seconds = try values.decode(Double.self, forKey: .seconds)
      accuracyCap = try values.decodeIfPresent(Double.self, forKey: .accuracyCap)
      label = try values.decodeIfPresent(String.self, forKey: .label)
      looks = try values.decodeIfPresent(Double.self, forKey: .looks).map { number in
        guard let looks = Int(exactly: number) else {
          throw DecodingError.dataCorruptedError(
            forKey: .looks, in: values, debugDescription: "looks is a whole number")
        }
        return looks
      }
      arrival = try values.decodeIfPresent(String.self, forKey: .arrival)
      near = try values.decodeIfPresent(Double.self, forKey: .near)
      journey = try values.decodeIfPresent(String.self, forKey: .journey)
    }
  }

  private static func linkRequest(in body: [UInt8]) throws(Problem) -> LinkRequest {
    let form = Problem(.badRequest, "The body must be an object as in {\"seconds\":3600}.")
    guard (try? JSONSerialization.jsonObject(with: Data(body))) is [String: Any] else { throw form }
    let request: LinkRequest
    do {
      request = try JSONDecoder().decode(LinkRequest.self, from: Data(body))
    } catch DecodingError.dataCorrupted(let context) where context.underlyingError == nil {
      // A misspelt condition would otherwise make a link that shows more than its owner wants.
      throw Problem(.badRequest, "The body can't be used: \(context.debugDescription).")
    } catch DecodingError.keyNotFound(let member, _) {
      throw Problem(
        .badRequest,
        "The body can't be used: \(member.stringValue) is missing, a number as in {\"seconds\":3600}.")
    } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
      guard let member = context.codingPath.last, let rule = LinkRequest.rule(of: member) else { throw form }
      throw Problem(.badRequest, "The body can't be used: \(rule).")
    } catch {
      throw form
    }
    guard durations.contains(request.seconds) else {
      throw Problem(.unprocessableContent, "A link lasts from a minute to 31 days, in seconds.")
    }
    return request
  }
}

extension [UInt8] {
  fileprivate mutating func appendJSONMembers(of link: AccessToken, looked: Int) {
    appendJSONMember("id", Int(link.id))
    appendJSONMember("label", link.terms.label)
    appendJSONMember("accuracyCap", link.terms.accuracyCap)
    appendJSONMember("since", link.terms.since)
    appendJSONMember("until", link.terms.link?.until)
    appendJSONMember("expires", link.terms.expires)
    appendJSONMember("arrival", link.terms.link?.arrival?.fence.name)
    appendJSONMember("near", link.terms.link?.nearness?.distance)
    appendJSONMember("looks", link.terms.link?.looks)
    appendJSONMember("looked", looked)
  }
}
