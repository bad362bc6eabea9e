import Foundation
import HTTPTypes
import Hummingbird
import NIOPosix
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// The paths of days: visits, journeys and gaps, and the names of places.
///
/// For the device's owner only, since visits show a person's home.
extension DeviceRoutes {
  private static let defaultDayCount = 7
  private static let greatestDayCount = 62
  private static let longestName = 200

  func addDays(to api: RouterGroup<ServerContext>) {
    api.read("devices/:device/days") { request, context in try await days(request, context) }
    api.read("devices/:device/places") { request, context in try await places(request, context) }
    api.read("devices/:device/visits/:visit/place") { request, context in
      try await place(request, context)
    }
    api.put("devices/:device/visits/:visit/place") { request, context in
      try await namePlace(request, context)
    }
  }

  private func days(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "its days")
    let query = QueryReader(request)
    return try await core.readWithoutErasures { try await days(of: device, query) }
  }

  private func days(of device: DeviceID, _ query: QueryReader) async throws -> Response {
    let calendar = try calendar(of: device, query)
    let from = try query.day("from"), to = try query.day("to")
    let newest = try newest(of: device)
    let last = to ?? from.map { $0 + Self.defaultDayCount - 1 } ?? calendar.day(of: newest)
    let first = from ?? last - Self.defaultDayCount + 1
    guard first <= last else { throw Problem(.badRequest, "from must not be later than to.") }
    guard last - first < Self.greatestDayCount else {
      throw Problem(.badRequest, "An answer has at most \(Self.greatestDayCount) days. Ask for fewer.")
    }
    let past = StoredPast(of: device, in: core.store)
    let (report, unreadable) = try await NIOThreadPool.singleton.runIfActive {
      let history = try past.history(of: first...last, calendar)
      return (DaysReport(history, calendar: calendar, range: first...last), history.unreadablePlaces)
    }
    return .json { body in
      body.appendJSONMember("days", report.days) { $0 += DaysJSON.object($1, of: report).bytes }
      Self.append(unreadable, to: &body)
    }
  }

  /// Appends the identifiers of places that can't be read, if there are any.
  private static func append(_ unreadable: [String], to body: inout [UInt8]) {
    guard !unreadable.isEmpty else { return }
    body.appendJSONMember("unreadablePlaces", unreadable) { $0.appendJSONString($1) }
  }

  /// Returns the calendar of the zone that a request names. `stated` is the offsets that the device's recordings state,
  /// and the server's zone where they state none.
  private func calendar(of device: DeviceID, _ query: QueryReader) throws -> DayCalendar {
    guard try query.text("zone") == "stated" else { return DayCalendar(try query.timeZone("zone") ?? .utc) }
    let zone = core.devices.zone
    let otherwise =
      (try? TimeZoneRules(named: zone.identifier))
      ?? TimeZoneRules(name: zone.identifier, firstOffset: zone.secondsFromGMT())
    let offsets = try core.store.statedOffsets(of: device)
    return offsets.isEmpty ? DayCalendar(otherwise) : DayCalendar(stated: offsets, otherwise: otherwise)
  }

  /// Returns the time of the newest fix or of the newest end of a stated visit; now if there is neither. A time more
  /// than a day ahead of the clock does not count.
  private func newest(of device: DeviceID) throws -> UTCTime {
    let now = UTCTime.now
    let stated = try core.store.newestStatedDeparture(of: device, at: now)
    return [try newestFixTime(of: device, at: now), stated].compactMap { $0 }.max() ?? now
  }

  private func newestFixTime(of device: DeviceID, at now: UTCTime) throws -> UTCTime? {
    let bound = now.advanced(by: DayHistory.futureTolerance)
    if let last = try core.store.lastFix(of: device)?.fix.fix.time, last <= bound { return last }
    var newest: UTCTime?
    let past = UTCTime(nanosecondsSince1970: .min)..<bound
    try core.store.history(of: device, in: past, uses: [.used, .late], limit: 1, newestFirst: true) {
      newest = $0.rowTime
    }
    return newest
  }

  private func places(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "its places")
    return try await core.readWithoutErasures { try await places(of: device) }
  }

  private func places(of device: DeviceID) async throws -> Response {
    let past = StoredPast(of: device, in: core.store)
    let (places, unreadable) = try await NIOThreadPool.singleton.runIfActive {
      let history = try past.wholeHistory()
      return (history.places, history.unreadablePlaces)
    }
    return .json { body in
      body.appendJSONMember("places", places) { $0 += DaysJSON.object($1).bytes }
      Self.append(unreadable, to: &body)
    }
  }

  /// Returns the place of a visit with the identifier that `/places` has. `/days` reads too little of the past for it.
  private func place(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "its places")
    let visit = try context.parameters.require("visit")
    let past = StoredPast(of: device, in: core.store)
    let place = try await NIOThreadPool.singleton.runIfActive { try past.place(ofVisit: visit) }
    return .bytes(type: "application/json", DaysJSON.object(place).bytes)
  }

  /// Names the place of a visit. A visit is known by its identifier, which depends on its arrival alone.
  private func namePlace(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "its places")
    let visit = try context.parameters.require("visit")
    let body = BodyReader(of: .object, limits: core.limits)
    let name = try Self.name(in: try await body.bytes(of: request))
    let past = StoredPast(of: device, in: core.store)
    // While the device is used: an erasure before or after it is complete, and its places do not come back.
    let named = await core.devices.withSession(of: device) { _ -> Result<Place, any Error> in
      do {
        let place = try await NIOThreadPool.singleton.runIfActive { try past.name(placeOf: visit, name) }
        return .success(place)
      } catch {
        return .failure(error)
      }
    }
    let place = try named.get()
    return .json { body in
      body.appendJSONMember("place", place.id)
      body.appendJSONMember("name", place.name)
    }
  }

  private static func name(in body: [UInt8]) throws(Problem) -> String {
    struct Named: Decodable { var name: String }
    guard let named = try? JSONDecoder().decode(Named.self, from: Data(body)) else {
      throw Problem(.badRequest, "The body must be an object as in {\"name\":\"Home\"}.")
    }
    let name = named.name.trimmingCharacters(in: .whitespacesAndNewlines)
    let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard !name.isEmpty, name.count <= longestName, !hasControls else {
      throw Problem(
        .unprocessableContent, "A name has 1 to \(longestName) characters and no control characters.")
    }
    return name
  }
}
