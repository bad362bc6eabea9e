import Whereabouts
package import WhereaboutsFormats
package import WhereaboutsModel
import WhereaboutsSystem

/// A device of a server, read over its API: its past, its trips and the fences.
///
/// Methods throw ``ServerClientError``, and `CancellationError` once the task is cancelled.
package struct RemoteDevice: Sendable {
  /// The greatest number of fixes that the server returns at once.
  package static let pageSize = 10_000

  package let client: ServerClient
  package let id: DeviceID

  package init(client: ServerClient, id: DeviceID) {
    self.client = client
    self.id = id
  }

  private func get(_ path: [String], _ query: [(String, String?)] = []) async throws -> JSONFields {
    try await client.get(["devices", id.rawValue] + path, query).fields()
  }

  // MARK: Fixes

  /// Calls the body with each fix of a span, the oldest first.
  ///
  /// - Parameter all: whether unused fixes are passed too.
  package func fixes(
    in span: Range<UTCTime>?, all: Bool, _ body: (LoggedFix) throws -> Void
  ) async throws {
    var cursor: String?
    repeat {
      let page = try await get(
        ["fixes"],
        Self.query(span) + [("limit", "\(Self.pageSize)"), ("used", all ? "no" : "yes"), ("cursor", cursor)])
      for fix in try Self.fixes(page) { try body(fix) }
      cursor = try Self.decoding { () throws(JSONFields.FieldError) in try page.text("next") }
    } while cursor != nil
  }

  /// Returns the newest fixes of a span, the oldest first.
  ///
  /// - Parameter count: the number of fixes, at most ``pageSize``.
  package func newestFixes(
    _ count: Int, in span: Range<UTCTime>? = nil, all: Bool = false
  ) async throws -> [LoggedFix] {
    let query = [("newest", "\(count)"), ("used", all ? "no" : "yes")]
    return try Self.fixes(await get(["fixes"], Self.query(span) + query))
  }

  /// Returns the current fix, which is not always the newest one of the history: an import may have a date far in the
  /// future. If the token may not read the current fix, returns the newest readable one up to now; `nil` if there is
  /// none.
  package func lastFix() async throws -> LoggedFix? {
    let current: Fix
    do {
      let fields = try await get(["fix"])
      current = try Self.decoding { () throws(JSONFields.FieldError) in try fields.fix() }
    } catch let error as ServerClientError where error.kind == .notFound {
      let now = UTCTime(nanosecondsSince1970: WallClock.nanosecondsSince1970)
      return try await newestFixes(1, in: UTCTime(nanosecondsSince1970: .min)..<now).last
    }
    guard let time = current.time else { return LoggedFix(current, use: .used, seen: nil) }
    // The history has the time of processing as well, unless the fix is not stored yet.
    let stored = try await newestFixes(10, in: time..<time.advanced(by: .nanoseconds(1)))
    return stored.last { $0.fix == current }
      ?? LoggedFix(current, use: .used, seen: nil)
  }

  private static func fixes(_ page: JSONFields) throws -> [LoggedFix] {
    try objects("fixes", of: page).map { fields in
      try decoding { () throws(JSONFields.FieldError) in
        LoggedFix(
          try fields.fix(), use: try fields.choice("use") ?? .used, seen: try fields.utcTime("processed"))
      }
    }
  }

  private static func query(_ span: Range<UTCTime>?) -> [(String, String?)] {
    guard let span else { return [] }
    let ends = (UTCTime(nanosecondsSince1970: .min), UTCTime(nanosecondsSince1970: .max))
    return [
      ("from", span.lowerBound == ends.0 ? nil : span.lowerBound.iso8601),
      ("to", span.upperBound == ends.1 ? nil : span.upperBound.iso8601),
    ]
  }

  // MARK: Trips

  /// Returns all trips from the first to the last.
  package func trips() async throws -> [Trip] {
    var trips: [Trip] = [], cursor: String?
    repeat {
      let page = try await get(["trips"], [("limit", "\(Self.pageSize)"), ("cursor", cursor)])
      trips += try Self.objects("trips", of: page).map(Self.trip)
      cursor = try Self.decoding { () throws(JSONFields.FieldError) in try page.text("next") }
    } while cursor != nil
    return trips
  }

  /// Returns the gaps of a trip in their order.
  package func gaps(of trip: TripID) async throws -> [Trip.Gap] {
    try Self.objects("gaps", of: await get(["trips", trip.rawValue])).map { fields in
      try Self.decoding { () throws(JSONFields.FieldError) in
        let gap = try fields.object("gap").required("gap")
        return Trip.Gap(
          trip: trip, end: try gap.utcTime("end").required("end"),
          gap: TrackPoint.Gap(
            duration: try gap.double("duration") ?? 0, geodesic: try gap.double("geodesic") ?? 0,
            counted: try gap.double("counted") ?? 0, uncertainty: try gap.double("uncertainty") ?? 0))
      }
    }
  }

  private static func trip(_ fields: JSONFields) throws -> Trip {
    try decoding { () throws(JSONFields.FieldError) in
      var totals = TrackTotals()
      totals.distance = try fields.double("distance") ?? 0
      totals.uncertainty = try fields.double("uncertainty") ?? 0
      totals.bridged = try fields.double("bridged") ?? 0
      totals.gaps = try fields.integer("gaps") ?? 0
      totals.segments = try fields.integer("segments") ?? 0
      totals.elapsed = try fields.double("elapsed") ?? 0
      totals.moving = try fields.double("moving") ?? 0
      totals.fastest = try fields.double("fastest") ?? 0
      totals.ascent = try fields.double("ascent")
      totals.descent = try fields.double("descent")
      var trip = Trip(
        id: TripID(try fields.text("trip").required("trip")), totals: totals,
        began: try fields.utcTime("began"), settledTo: try fields.utcTime("settledTo"),
        ended: try fields.utcTime("ended"), lateFixes: try fields.integer("lateFixes") ?? 0,
        duplicates: try fields.integer("duplicates") ?? 0)
      trip.ahead = try fields.double("ahead")
      return trip
    }
  }

  /// Returns whether the device has a fix or a trip that the token may read.
  package func hasPast() async throws -> Bool {
    if try await !newestFixes(1).isEmpty { return true }
    return try await !trips().isEmpty
  }

  // MARK: Fences

  /// Calls the body with each fence record, the oldest first. Records that the reader may not see are left out.
  package func fenceRecords(_ body: (FenceRecord) -> Void) async throws {
    var after: UInt64 = 0
    while true {
      let page = try await get(["crossings"], [("after", "\(after)"), ("limit", "\(Self.pageSize)")])
      let records = try Self.objects("crossings", of: page)
      for fields in records {
        if let record = try Self.decoding({ () throws(JSONFields.FieldError) in try fields.crossing() }) {
          body(record)
        }
      }
      // A page may be empty because the reader may see none of its records.
      let last: UInt64 = try Self.decoding { () throws(JSONFields.FieldError) in
        try page.integer("last").required("last")
      }
      guard last > after else { return }
      after = last
    }
  }

  /// Returns the sides of the fences of which they are certain.
  ///
  /// - Parameter fence: the only fence; `nil` for all.
  package func fenceStates(of fence: FenceID? = nil) async throws -> [FenceID: FenceState] {
    let entries = try Self.objects("fences", of: await get(["fences"], [("fence", fence?.name)]))
    return Dictionary(
      try entries.map { fields in
        try Self.decoding { () throws(JSONFields.FieldError) in
          (
            FenceID(try fields.text("fence").required("fence")),
            FenceState(
              side: try fields.choice("side").required("side"), since: try fields.utcTime("since"))
          )
        }
      }
    ) { first, _ in first }
  }

  // MARK: Decisions

  /// Returns why a fence stood as it did at a time: the lines, and the JSON object.
  package func explanation(
    of fence: FenceID, at time: UTCTime
  ) async throws -> (lines: [String], json: ExactJSON?) {
    let fields = try await get(["why"], [("fence", fence.name), ("at", time.iso8601)])
    return (try Self.texts("lines", of: fields), fields["answer"])
  }

  /// Returns the decisions of a span as text.
  package func decisionLines(in span: Range<UTCTime>?) async throws -> [String] {
    try Self.texts("lines", of: await get(["decisions"], Self.query(span) + [("text", "yes")]))
  }

  /// Returns the decisions of a span.
  package func decisions(in span: Range<UTCTime>?) async throws -> [ExactJSON] {
    let fields = try await get(["decisions"], Self.query(span))
    return try Self.decoding { () throws(JSONFields.FieldError) in try fields.array("decisions") ?? [] }
  }

  // MARK: Decoding

  private static func texts(_ name: String, of fields: JSONFields) throws -> [String] {
    try decoding { () throws(JSONFields.FieldError) in try fields.array(name) ?? [] }.map { value in
      guard case .text(let text) = value else { throw ServerClientError.malformed }
      return text
    }
  }

  static func objects(_ name: String, of fields: JSONFields) throws -> [JSONFields] {
    try decoding { () throws(JSONFields.FieldError) in try fields.array(name) ?? [] }.map { value in
      guard case .object(let fields) = value else { throw ServerClientError.malformed }
      return fields
    }
  }

  static func decoding<Value>(
    _ body: () throws(JSONFields.FieldError) -> Value
  ) throws(ServerClientError) -> Value {
    do throws(JSONFields.FieldError) { return try body() } catch { throw ServerClientError.malformed }
  }
}

extension JSONFields {
  /// Returns the record of a crossing; `nil` if the reader may not see it.
  fileprivate func crossing() throws(FieldError) -> FenceRecord? {
    if try flag("revoked") == true {
      return .revised(FenceEvent.ID(try integer("id").required("id")), nil)
    }
    guard let kind: FenceEvent.Kind = try choice("event") else { return nil }
    let id = FenceEvent.ID(try integer("id").required("id"))
    let time = try utcTime("time").required("time"), decided = try utcTime("decided").required("decided")
    // A reader of a coarser place than the device's owner may not see any.
    guard let latitude = try double("lat"), let longitude = try double("lon"),
      let place = Coordinate(latitude: latitude, longitude: longitude)
    else { return nil }
    var between: [UTCTime] = []
    for case .text(let text) in try array("between") ?? [] {
      between += UTCTime(iso8601: text).map { [$0] } ?? []
    }
    let event = FenceEvent(
      id: id, fence: FenceID(try text("fence").required("fence")), kind: kind,
      manner: try choice("manner").required("manner"), time: time,
      timeUncertainty: try double("uncertainty") ?? 0, lastBefore: between.first,
      firstAfter: between.last ?? time, place: place,
      confidence: try double("confidence") ?? 1,
      // Reports don't contain the fix itself, which the server stores.
      decidedBy: Fix(coordinate: place, time: decided, source: .scripted), decided: decided,
      pending: .seconds(try double("pending") ?? 0))
    return try flag("revised") == true ? .revised(id, event) : .event(event)
  }
}
