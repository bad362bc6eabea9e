import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsGeodesy
import WhereaboutsModel
import WhereaboutsServer
import WhereaboutsTesting

/// Answers from the engines that are loaded, and from the stream that ends.
@Suite struct LiveStateTests {
  @Test func openTripHasItsDistanceOfNow() async throws {
    try await TestServer.run { server in
      try await ResponseTests.fill(server)
      for second in stride(from: 200, to: 1_200, by: 10) {
        _ = try await server.send(
          "POST", "/owntracks", token: "anna", body: ResponseTests.position(at: second))
      }
      let trips = try await server.send("GET", "/api/v1/devices/anna/trips").json()
      let trip = try #require(trips["trips"]?.elements?.first)
      #expect(trips["trips"]?.elements?.count == 1)
      #expect(try #require(trip["distance"]?.double) > 1_000)
    }
  }

  @Test func streamEndsAfterItsTimeWithEveryCrossing() async throws {
    try await TestServer.run { server in
      try await ResponseTests.fill(server)
      let stream = try await server.send("GET", "/api/v1/stream?after=0&for=0")
      #expect(stream.text.contains("\nevent: crossing\n"))
      #expect(stream.text.contains(#""event":"exit""#))
      let last = try await server.send("GET", "/api/v1/stream?for=0")
      #expect(!last.text.contains("crossing"))
    }
  }

  @Test func waitWithoutATimeoutEndsAtTheLimit() async throws {
    var limits = ServerLimits()
    limits.longestWait = .seconds(1)
    try await TestServer.run(limits: limits) { server in
      try await ResponseTests.fill(server)
      var length = Duration.seconds(3600)
      // Without the limit each wait takes 30 s; on a busy machine one may take as long.
      for _ in 0..<5 where length >= .seconds(25) {
        let start = ContinuousClock.now
        #expect(try await server.send("GET", "/api/v1/devices/anna/fix?accuracy=1").status == 504)
        length = ContinuousClock.now - start
      }
      #expect(length < .seconds(25))
    }
  }

  @Test func sourceReportsItsProblemWithARemedy() async throws {
    let source = ScriptedSource()
    try await TestServer.run(source: source) { server in
      try await source.emit(
        Fix(coordinate: #require(Coordinate(latitude: 48, longitude: 11)), time: nil, source: .nmea))
      let working = try await server.send("GET", "/api/v1/sources").json()
      #expect(working["sources"]?.elements?.first?["state"] == .string("working"))
      await source.fail(SourceProblem(.noReceiver, message: "find a receiver", remedy: "Plug one in."))
      let failed = try await server.send("GET", "/api/v1/sources").json()
      let shown = try #require(failed["sources"]?.elements?.first)
      #expect(shown["state"] == .string("failed"))
      #expect(shown["problem"]?["remedy"] == .string("Plug one in."))
    }
  }

  @Test func serverWithoutSourceHasNone() async throws {
    try await TestServer.run { server in
      let response = try await server.send("GET", "/api/v1/sources")
      #expect(response.text == #"{"sources":[]}"#)
    }
  }

  @Test func receiverUsageIsReported() async throws {
    let source = ScriptedSource()
    try await TestServer.run(source: source) { server in
      try await source.emit(
        Fix(coordinate: #require(Coordinate(latitude: 48, longitude: 11)), time: nil, source: .nmea))
      let usages = try await server.send("GET", "/api/v1/devices/this/receiver").json()
      let list = try #require(usages["usages"]?.elements)
      #expect(list.allSatisfy { $0["users"]?.elements?.isEmpty == false })
      #expect(usages["last"]?.double == list.last?["number"]?.double ?? 0)
    }
  }
}
