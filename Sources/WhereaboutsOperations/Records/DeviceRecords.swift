import Whereabouts
package import WhereaboutsModel
package import WhereaboutsReports

/// The stored past of a device, and its fences: in a store or at a server.
package protocol DeviceRecords: Sendable {
  /// Returns the last used fix; `nil` if there is none.
  func lastFix() async throws -> LoggedFix?

  /// Calls the body with each fix of a span, the oldest first.
  ///
  /// - Parameters:
  ///   - all: whether unused fixes are passed too.
  ///   - limit: the number of the newest fixes that are passed; `nil` for all.
  func fixes(
    in span: Range<UTCTime>?, all: Bool, limit: Int?, _ body: (LoggedFix) throws -> Void
  ) async throws

  /// Returns all trips from the first to the last.
  func trips() async throws -> [Trip]

  /// Returns the gaps of a trip in their order.
  func gaps(of trip: TripID) async throws -> [Trip.Gap]

  /// Returns all reported events in the order of their reports.
  func reportedEvents() async throws -> [ReportedFenceEvent]

  /// Returns the fences.
  func fences() async throws -> [Fence]

  /// Returns the last known state of each fence.
  func fenceStates() async throws -> [FenceID: FenceState]

  /// Changes the fences, and returns when the change is on disk. The records are unusable afterwards.
  ///
  /// - Parameter change: a closure that changes the fences. It is called again if another program has changed them
  ///   meanwhile.
  func changeFences<Result>(
    _ change: (inout [Fence]) throws(CommandError) -> Result
  ) async throws -> Result

  /// Ends the use of the records.
  func close()
}

extension DeviceRecords {
  /// Returns the trip of a name.
  ///
  /// - Throws: an error if there is no such trip.
  package func trip(named name: String) async throws -> Trip {
    let trips = try await trips()
    if let trip = trips.first(where: { $0.id.rawValue == name }) { return trip }
    let wanted = name.lowercased()
    let close = trips.map(\.id.rawValue).first { there in
      there.lowercased().hasPrefix(wanted) || wanted.hasPrefix(there.lowercased())
    }
    let known = trips.isEmpty ? "There are no trips." : "Run `whereabouts trips` to list the trips."
    let hint = close.map { "Did you mean \($0)?" } ?? known
    throw CommandError("no trip has the name \(name). \(hint)")
  }
}

extension OpenStore: DeviceRecords {
  package func fixes(
    in span: Range<UTCTime>?, all: Bool, limit: Int?, _ body: (LoggedFix) throws -> Void
  ) async throws {
    guard let limit else { return try fixes(in: span, all: all, body) }
    var newest: [LoggedFix] = []
    try fixes(in: span, all: all, newest: limit) { newest.append($0) }
    for fix in newest.reversed() { try body(fix) }
  }
}
