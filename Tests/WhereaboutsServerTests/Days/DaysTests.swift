import Foundation
import GRDB
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

@testable import WhereaboutsServer

/// Days as visits and journeys, and the names of places.
@Suite struct DaysTests {
  /// Two visits of ten minutes, 800 m apart, and the way between them; the last fix at noon of a past day.
  private static let noon = UTCTime(iso8601: "2024-05-14T12:00:00Z")!
  private static let distances =
    Array(repeating: 0.0, count: 30) + (1...20).map { Double($0) * 40 } + Array(repeating: 800.0, count: 30)

  private struct Days: Decodable {
    var days: [Day]

    struct Day: Decodable {
      var day: String
      var zone: String
      var segments: [Segment]
    }

    struct Segment: Decodable {
      var type: String
      var id: String
      var start: String
      var end: String?
      var place: String?
      var name: String?
      var distance: Double?
      var hacc: Double?
      var proposedName: String?
      var stated: Bool?
      var statedName: String?
      var kind: String?
      var probability: Double?
      var confirmed: Bool?
    }
  }

  private struct Places: Decodable {
    var places: [Place]

    struct Place: Decodable, Equatable {
      var place: String
      var name: String?
      var proposedName: String?
      var visits: Int
    }
  }

  private static func segments(_ server: TestServer, _ token: String) async throws -> [Days.Segment] {
    let path = "/api/v1/devices/anna/days?from=2024-05-14&to=2024-05-14&zone=Europe/Berlin"
    let answer = try await server.get(path, token: token)
    #expect(answer.status == 200, "\(answer.body)")
    let days = try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days
    #expect(days.map(\.day) == ["2024-05-14"])
    return days.first?.segments ?? []
  }

  private static func name(
    _ visit: String, _ name: String, _ server: TestServer, _ token: String
  ) async throws -> Int {
    try await server.send(
      .PUT, "/api/v1/devices/anna/visits/\(visit)/place", "{\"name\":\"\(name)\"}", token: token
    ).status
  }

  @Test func placesOfVisitsCanBeNamed() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let batch = Batches.overland(Self.distances, end: Self.noon)
      _ = try await server.post("/overland", batch, token: token)
      let segments = try await Self.segments(server, token)
      #expect(segments.map(\.type) == ["visit", "journey", "visit"])
      try #require(segments.count == 3)
      #expect(segments[0].start.hasSuffix("+02:00"))
      let distance = try #require(segments[1].distance)
      #expect(abs(distance - 800) < 80, "\(distance)")

      #expect(try await Self.name(segments[0].id, " Home ", server, token) == 200)
      #expect(try await Self.name(segments[2].id, "Home", server, token) == 409)
      let homeID = try #require(segments[0].place)
      #expect(try await Self.name(segments[2].id, homeID, server, token) == 409)
      #expect(try await Self.name(segments[2].id, "Work", server, token) == 200)
      let named = try await Self.segments(server, token)
      #expect(named.map(\.name) == ["Home", nil, "Work"])
      #expect(named.map(\.id) == segments.map(\.id))
      let places = try await server.get("/api/v1/devices/anna/places", token: token)
      let names = try JSONDecoder().decode(Places.self, from: Data(places.body.utf8)).places.map(\.name)
      #expect(Set(names) == ["Home", "Work"])
    }
  }

  /// The days do not read the first visit of the place, by which a place without a name is known.
  @Test func visitOfADayLeadsToItsPlace() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let earlier: [(daysBefore: Int, distance: Double)] = [(43, 0), (4, 5_000)]
      for visit in earlier {
        let end = Self.noon.advanced(by: .seconds(-86_400 * visit.daysBefore))
        let batch = Batches.overland(Array(repeating: visit.distance, count: 30), end: end)
        _ = try await server.post("/overland", batch, token: token)
      }
      _ = try await server.post("/overland", Batches.overland(Self.distances, end: Self.noon), token: token)
      let segments = try await Self.segments(server, token)
      let visit = try #require(segments.first { $0.type == "visit" })
      let list = try await server.get("/api/v1/devices/anna/places", token: token)
      let places = try JSONDecoder().decode(Places.self, from: Data(list.body.utf8)).places
      #expect(!places.contains { $0.place == visit.place }, "\(list.body)")
      let path = "/api/v1/devices/anna/visits/\(visit.id)/place"
      let answer = try await server.get(path, token: token)
      try #require(answer.status == 200, "\(answer.body)")
      let place = try JSONDecoder().decode(Places.Place.self, from: Data(answer.body.utf8))
      #expect(places.contains(place) && place.visits == 2, "\(list.body)")
    }
  }

  /// A person would otherwise look in vain for the cause of a lost name.
  @Test func unreadablePlaceIsLeftOutAndListed() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let batch = Batches.overland(Self.distances, end: Self.noon)
      _ = try await server.post("/overland", batch, token: token)
      let segments = try await Self.segments(server, token)
      let visit = try #require(segments.first), place = try #require(visit.place)
      #expect(try await Self.name(visit.id, "Home", server, token) == 200)
      let paths = ["days?from=2024-05-14&to=2024-05-14", "places"].map { "/api/v1/devices/anna/" + $0 }
      for path in paths {
        let answer = try await server.get(path, token: token)
        #expect(answer.status == 200 && !answer.body.contains("unreadablePlaces"), "\(answer.body)")
      }
      try server.store.write { try $0.execute(sql: "UPDATE place SET lat = 400") }
      for path in paths {
        let answer = try await server.get(path, token: token)
        #expect(answer["unreadablePlaces", as: [String].self] == [place], "\(answer.body)")
        #expect(answer.status == 200 && !answer.body.contains("Home"), "\(answer.body)")
      }
    }
  }

  /// Fixes with a wrong date do not move the last seven days.
  @Test func lastDaysEndWithTheNewestFixOfThePast() async throws {
    let future = try #require(UTCTime(iso8601: "2099-01-01T12:00:00Z"))
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      for end in [Self.noon, future] {
        _ = try await server.post("/overland", Batches.overland(Self.distances, end: end), token: token)
      }
      let answer = try await server.get("/api/v1/devices/anna/days", token: token)
      let days = try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days
      #expect(days.map(\.day) == ["2024-05-14"], "\(answer.body)")
    }
  }

  @Test func visitOfMonthsHasItsArrivalAndCanBeNamed() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let home = try #require(Coordinate(latitude: 47, longitude: 8))
      let office = try #require(Coordinate(latitude: 47.1, longitude: 8))
      let fixes = (0..<2_400).map { hour in
        let time = Self.noon.advanced(by: .seconds((hour - 2_400) * 3_600))
        var fix = Fix(coordinate: hour < 12 ? office : home, time: time, source: .gpx)
        fix.horizontalAccuracy = 10
        return fix
      }
      _ = try server.store.addPast(fixes, to: "anna")
      func segments(_ from: String, _ to: String) async throws -> [Days.Segment] {
        let answer = try await server.get("/api/v1/devices/anna/days?from=\(from)&to=\(to)", token: token)
        return try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days.flatMap(\.segments)
      }
      let arrival = try #require(try await segments("2024-02-04", "2024-02-06").last)
      let visit = try #require(try await segments("2024-05-12", "2024-05-14").first)
      #expect(visit.id == arrival.id && visit.start == arrival.start, "\(visit) \(arrival)")
      #expect(try await Self.name(visit.id, "Home", server, token) == 200)
    }
  }

  /// As `whereabouts days` shows them: two days at one place, 98 days of silence, and two days at another place.
  @Test(arguments: [500_000, 10])
  func daysAroundALongSilenceAreThoseOfTheWholePast(leadLimit: Int) async throws {
    let start = try #require(UTCTime(iso8601: "2024-01-15T00:00:00Z"))
    let office = try #require(Coordinate(latitude: 47.1, longitude: 8))
    let home = try #require(Coordinate(latitude: 47, longitude: 8))
    let fixes = (Array(0..<48) + Array(2_400..<2_448)).map { hour in
      let time = start.advanced(by: .seconds(hour * 3_600))
      var fix = Fix(coordinate: hour < 48 ? office : home, time: time, source: .gpx)
      fix.horizontalAccuracy = 10
      return fix
    }
    try await TestServer.withStore { store in
      _ = try store.addPast(fixes, to: "anna")
      let past = StoredPast(of: "anna", in: store, leadLimit: leadLimit), calendar = DayCalendar(.utc)
      let whole = try past.wholeHistory()
      let first = calendar.day(of: start)
      for days in [0...0, 1...1, 1...3, 30...31, 80...80, 50...111, 99...101, 100...100, 200...201] {
        let range = (first + days.lowerBound)...(first + days.upperBound)
        let found = DaysReport(try past.history(of: range, calendar), calendar: calendar, range: range)
        let expected = DaysReport(whole, calendar: calendar, range: range)
        #expect(found.segments.map(\.id) == expected.segments.map(\.id), "\(days)")
        #expect(found.segments.map(\.end) == expected.segments.map(\.end), "\(days)")
      }
      #expect(whole.segments.contains { $0.id.kind == .gap })
    }
  }

  /// The device stays over midnight, and leaves on the day after the one that is asked for.
  @Test func lastVisitOfAPastDayHasItsDeparture() async throws {
    let morning = try #require(UTCTime(iso8601: "2024-05-15T09:00:00Z"))
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      for (distances, end) in [(Self.distances, Self.noon), (Array(Self.distances.reversed()), morning)] {
        _ = try await server.post("/overland", Batches.overland(distances, end: end), token: token)
      }
      let segments = try await Self.segments(server, token)
      #expect(segments.map(\.type) == ["visit", "journey", "visit"])
      #expect(segments.last?.end?.hasPrefix("2024-05-15T") == true, "\(segments)")
    }
  }

  /// Whether the request states its first and its last day: the last days, a week from today, or that week with its end.
  @Test(arguments: [(false, false), (true, false), (true, true)])
  func fixWithAWrongDateDoesNotEndTheVisitOfToday(statesFirst: Bool, statesLast: Bool) async throws {
    let now = UTCTime.now
    func day(_ offset: Int) -> String {
      String(now.advanced(by: .seconds(86_400 * offset)).iso8601.prefix(10))
    }
    let query = (statesFirst ? "?from=\(day(0))" : "") + (statesLast ? "&to=\(day(6))" : "")
    let elsewhere = try #require(Coordinate(latitude: Batches.home.latitude + 0.2, longitude: 13.4))
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let stay = Array(repeating: 0.0, count: 30)
      _ = try await server.post("/overland", Batches.overland(stay, end: now), token: token)
      let wrong = (2...6).map { day in
        Fix(coordinate: elsewhere, time: now.advanced(by: .seconds(86_400 * day)), source: .csv)
      }
      _ = try server.store.addPast(wrong, to: "anna")
      let answer = try await server.get("/api/v1/devices/anna/days\(query)", token: token)
      let days = try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days
      let last = try #require(days.last?.segments.last, "\(answer.body)")
      #expect(last.type == "visit" && last.end == nil, "\(answer.body)")
    }
  }

  @Test func visitWithAWrongDateIsNoPlace() async throws {
    let future = try #require(UTCTime(iso8601: "2099-01-01T12:00:00Z"))
    let elsewhere = try #require(Coordinate(latitude: Batches.home.latitude + 0.2, longitude: 13.4))
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let wrong = (0..<60).map { index in
        var fix = Fix(coordinate: elsewhere, time: future.advanced(by: .seconds(20 * index)), source: .csv)
        fix.horizontalAccuracy = 5
        return fix
      }
      _ = try await server.post("/overland", Batches.overland(Self.distances, end: Self.noon), token: token)
      _ = try server.store.addPast(wrong, to: "anna")
      let places = try await server.get("/api/v1/devices/anna/places", token: token)
      #expect(places["places", as: [Any].self]?.count == 2, "\(places.body)")
      // A name would be that of a place that no list shows.
      let path = "/api/v1/devices/anna/days?from=2099-01-01&to=2099-01-01"
      let answer = try await server.get(path, token: token)
      let days = try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days
      let visit = try #require(days.last?.segments.last { $0.type == "visit" }, "\(answer.body)")
      #expect(try await Self.name(visit.id, "Nowhere", server, token) == 404)
    }
  }

  /// Visits reveal a home: readers with a capped accuracy, read-only readers and links receive none.
  @Test func daysAreTheOwnersAlone() async throws {
    try await TestServer.run { server in
      let owner = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland(Self.distances, end: Self.noon), token: owner)
      try server.addStatedVisit("2024-05-14T06:00:00Z", "2024-05-14T08:00:00Z", latitude: 52.6, name: "Café")
      let link = try await server.post("/api/v1/devices/anna/links", #"{"seconds":3600}"#, token: owner)
      let path = try #require(link["path", as: String.self])
      let readers = [
        try server.token("anna", [.read]), try server.token("anna", [.read, .write], cap: 500),
        try server.token(nil, [.read]), String(path.dropFirst("/#token=".count)),
        try await server.journeyLink(owner).secret,
      ]
      for token in readers {
        for path in ["days", "days?from=2024-05-14&zone=stated", "places"] {
          let answer = try await server.get("/api/v1/devices/anna/\(path)", token: token)
          #expect(answer.status == 403, "\(answer.body)")
          #expect(!answer.body.contains("52.") && !answer.body.contains("Café"), "\(answer.body)")
        }
      }
    }
  }

  // MARK: Stated visits

  @Test func statedVisitsAreAmongTheDaysWhereFixesAreSilent() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland(Self.distances, end: Self.noon), token: token)
      let plain = try await Self.segments(server, token)
      // Fixes show this one.
      try server.addStatedVisit(
        "2024-05-14T11:30:00Z", "2024-05-14T11:43:00Z", latitude: Batches.home.latitude, kind: "TYPE_HOME")
      try server.addStatedVisit("2024-05-14T06:00:00Z", "2024-05-14T08:00:00Z", latitude: 52.6, name: "Café")
      let segments = try await Self.segments(server, token)
      #expect(segments.map(\.stated) == [true, nil, nil, nil])
      try #require(segments.count == 4)
      #expect(segments.map(\.proposedName) == ["Café", "Home", nil, nil])
      #expect(segments.dropFirst().map(\.id) == plain.map(\.id))
      let stated = segments[0]
      #expect(stated.type == "visit" && stated.start.hasPrefix("2024-05-14T08:00:00"), "\(stated)")
      #expect(stated.statedName == "Café" && stated.probability == 0.75 && stated.confirmed == true)
      #expect(stated.kind == nil && stated.hacc == nil && segments[1].hacc != nil)

      #expect(try await Self.name(stated.id, "Ada's", server, token) == 200)
      let named = try await Self.segments(server, token)
      #expect(named.map(\.id) == segments.map(\.id))
      #expect(named[0].name == "Ada's" && named[0].proposedName == nil && named[0].statedName == "Café")
      let answer = try await server.get("/api/v1/devices/anna/places", token: token)
      let places = try JSONDecoder().decode(Places.self, from: Data(answer.body.utf8)).places
      #expect(Set(places.compactMap(\.name)) == ["Ada's"])
      #expect(Set(places.compactMap(\.proposedName)) == ["Home"])
    }
  }

  /// The visit from fixes continues through a silence, which ends after the days that are asked for.
  @Test func fixesAfterTheDaysHideAStatedVisit() async throws {
    let morning = try #require(UTCTime(iso8601: "2024-05-15T09:00:00Z"))
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      let stay = Array(repeating: 0.0, count: 30)
      for end in [Self.noon, morning] {
        _ = try await server.post("/overland", Batches.overland(stay, end: end), token: token)
      }
      try server.addStatedVisit(
        "2024-05-14T19:00:00Z", "2024-05-15T06:00:00Z", latitude: Batches.home.latitude, kind: "TYPE_HOME")
      let segments = try await Self.segments(server, token)
      #expect(segments.map(\.type) == ["visit"] && segments.map(\.stated) == [nil])
    }
  }

  /// A Timeline may hold visits alone. The last days end with the newest one.
  @Test func statedOffsetsAreAZone() async throws {
    var settings = ServerSettings.test
    settings.timeZone = try #require(TimeZone(identifier: "Asia/Kolkata"))
    try await TestServer.run(settings) { server in
      let token = try server.token("anna", [.read, .write])
      try server.addStatedVisit("2024-05-14T18:00:00Z", "2024-05-14T18:20:00Z", latitude: 35.7)
      try server.addStatedVisit("2099-01-01T06:00:00Z", "2099-01-01T08:00:00Z", latitude: 35.7)
      func day() async throws -> Days.Day {
        let answer = try await server.get("/api/v1/devices/anna/days?zone=stated", token: token)
        #expect(answer.status == 200, "\(answer.body)")
        let days = try JSONDecoder().decode(Days.self, from: Data(answer.body.utf8)).days
        #expect(days.count == 1)
        return try #require(days.first)
      }
      // Without a stated offset, the zone is that of the server.
      let unstated = try await day()
      #expect(unstated.day == "2024-05-14" && unstated.zone == "Asia/Kolkata")
      let tokyo = StatedOffset(time: try #require(UTCTime(iso8601: "2024-05-14T18:00:00Z")), minutes: 540)
      _ = try server.store.addPast([], to: "anna", offsets: [tokyo])
      let stated = try await day()
      #expect(stated.day == "2024-05-15" && stated.zone == "stated")
      #expect(stated.segments.map(\.start).allSatisfy { $0.hasSuffix("T03:00:00+09:00") }, "\(stated)")
      // A stream has no such zone.
      let stream = "/api/v1/stream?for=0&segments=yes&device=anna&zone=stated"
      #expect(try await server.get(stream, token: token).status == 400)
    }
  }

  private struct Change: Decodable {
    var device: String
    var change: String
    var id: String
    var segment: Segment?
    var type: String? { segment?.type }
    var name: String? { segment?.name }
    var end: String? { segment?.end }

    struct Segment: Decodable {
      var type: String
      var id: String
      var name: String?
      var end: String?
    }
  }

  /// The changes of segments up to one that a condition holds for.
  private static func changes(
    _ events: inout StreamEvents, until isLast: (Change) -> Bool
  ) async throws -> [Change] {
    var changes: [Change] = []
    while let event = try await events.next() {
      guard event.name == "segment" else { continue }
      let change = try JSONDecoder().decode(Change.self, from: Data(event.data.utf8))
      changes.append(change)
      if isLast(change) { break }
    }
    return changes
  }

  @Test func openVisitIsStreamedAtOnceWithItsFinalIdentifier() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.read, .write])
      var events = try await server.stream(token: token, query: "?segments=yes&zone=Europe/Berlin")
      let batch = Batches.overland(
        Array(Self.distances.prefix(30)), end: Self.noon.advanced(by: .seconds(-1000)))
      _ = try await server.post("/overland", batch, token: token)
      let first = try await Self.changes(&events) { $0.type == "visit" }
      let visit = try #require(first.last)
      #expect(visit.device == "anna" && visit.change == "opened" && visit.end == nil)
      #expect(try await Self.name(visit.id, "Home", server, token) == 200)
      // The way to another place, and half of it once more: late fixes change nothing that was known.
      _ = try await server.post("/overland", Batches.overland(Self.distances, end: Self.noon), token: token)
      let second = try await Self.changes(&events) { $0.type == "visit" && $0.id != visit.id }
      #expect(second.contains { $0.id == visit.id && $0.change == "closed" && $0.name == "Home" })
      #expect(!second.contains { $0.id == visit.id && $0.change == "withdrawn" })
      #expect(second.last?.change == "opened")
      // A later reader, as after a restart, gets the same segments.
      var again = try await server.stream(token: token, query: "?segments=yes&device=anna")
      let current = try await Self.changes(&again) { $0.end == nil && $0.type == "visit" }
      #expect(current.map(\.change) == ["current", "current", "current"])
      #expect(current.first?.id == visit.id && current.last?.id == second.last?.id)
    }
  }

  @Test func segmentsAreStreamedToTheOwnerOfOneDevice() async throws {
    try await TestServer.run { server in
      let writer = try server.token("anna", [.read, .write])
      _ = try await server.post("/overland", Batches.overland(Self.distances, end: Self.noon), token: writer)
      let reader = try server.token("anna", [.read]),
        capped = try server.token("anna", [.read, .write], cap: 500)
      let path = "/api/v1/stream?for=0&segments=yes"
      for token in [reader, capped] {
        let answer = try await server.get(path, token: token)
        #expect(answer.status == 403 && !answer.body.contains("52.5"), "\(answer.body)")
      }
      #expect(try await server.get(path, token: server.admin).status == 400)
      #expect(try await server.get(path + "&device=anna&zone=Mars/Base", token: server.admin).status == 400)
      let answer = try await server.get(path + "&device=anna", token: server.admin)
      #expect(answer.status == 200)
      let plain = try await server.get("/api/v1/stream?for=0", token: writer)
      #expect(plain.status == 200 && !plain.body.contains("event: segment"))
    }
  }
}
