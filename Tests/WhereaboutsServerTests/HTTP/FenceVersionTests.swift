import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsServer

/// The versions of the fences, by which two editors don't overwrite each other.
@Suite struct FenceVersionTests {
  private static let path = "/api/v1/fences"

  @Test func secondEditorIsRefusedAndNothingChanges() async throws {
    try await TestServer.run { server in
      let read = try await server.send("GET", Self.path)
      let tag = try #require(read.headers["ETag"].first)
      let first = try await server.send(
        "PUT", Self.path, headers: [("If-Match", tag)], body: ResponseTests.fence("a"))
      #expect(first.status == 200)
      #expect(first.headers["ETag"] != [tag])
      let second = try await server.send(
        "PUT", Self.path, headers: [("If-Match", tag)], body: ResponseTests.fence("b"))
      #expect(second.status == 412)
      let now = try await server.send("GET", Self.path)
      #expect(now.text.contains(#""id":"a""#) && !now.text.contains(#""id":"b""#))
      #expect(now.headers["ETag"] == first.headers["ETag"])
    }
  }

  @Test func deletionHoldsToTheVersionToo() async throws {
    try await TestServer.run { server in
      let made = try await server.send("POST", Self.path, body: ResponseTests.fence("a"))
      let tag = try #require(made.headers["ETag"].first)
      let wrong = try await server.send("DELETE", Self.path + "/a", headers: [("If-Match", "\"1.1\"")])
      #expect(wrong.status == 412)
      let weak = try await server.send("DELETE", Self.path + "/a", headers: [("If-Match", "W/" + tag)])
      #expect(weak.status == 412)
      let right = try await server.send("DELETE", Self.path + "/a", headers: [("If-Match", "\"0\", " + tag)])
      #expect(right.status == 204)
      #expect(right.headers["Content-Length"].isEmpty)
    }
  }

  @Test(arguments: ["", "/a"]) func knownVersionIsNotSentAgain(_ suffix: String) async throws {
    try await TestServer.run { server in
      _ = try await server.send("POST", Self.path, body: ResponseTests.fence("a"))
      let read = try await server.send("GET", Self.path + suffix)
      let tag = try #require(read.headers["ETag"].first)
      let known = try await server.send("GET", Self.path + suffix, headers: [("If-None-Match", "W/" + tag)])
      #expect(known.status == 304)
      #expect(known.body.isEmpty)
      #expect(known.headers["ETag"] == [tag])
      let other = try await server.send("GET", Self.path + suffix, headers: [("If-None-Match", "\"0\"")])
      #expect(other.status == 200)
    }
  }

  /// A cache that has the fences of one reader must not answer another one with them.
  @Test func versionIsThatOfTheReader() async throws {
    try await TestServer.run { server in
      let made = try await server.send("POST", Self.path, body: ResponseTests.fence("a"))
      let tag = try #require(made.headers["ETag"].first)
      let reader = try server.token("anna", [.read]), coarse = try server.token("anna", [.read], cap: 1_000)
      let read = try await server.send("GET", Self.path, token: reader)
      let known = try #require(read.headers["ETag"].first)
      #expect(read.text.contains(#""id":"a""#))
      let again = try await server.send("GET", Self.path, token: reader, headers: [("If-None-Match", known)])
      #expect(again.status == 304 && again.headers["ETag"] == [known])
      for other in [tag, known] {
        let headers = [("If-None-Match", other)]
        let shown = try await server.send("GET", Self.path, token: coarse, headers: headers)
        #expect(shown.status == 200 && !shown.text.contains(#""id":"a""#))
      }
    }
  }

  /// Somebody who edits the fences on the page during a restart can store the edit.
  @Test func restartedServerRetainsTheVersion() async throws {
    try await TestServer.withStore { store in
      var tags: [String] = []
      for run in 0..<2 {
        try await TestServer.run(store: store) { server in
          if run == 0 {
            for id in ["a", "b"] {
              _ = try await server.send("POST", Self.path, body: ResponseTests.fence(id))
            }
            // Its area is new, and so is its place in the order.
            _ = try await server.send("POST", Self.path, body: Batches.fence("a", radius: 300))
          }
          tags += try await server.send("GET", Self.path).headers["ETag"]
        }
      }
      #expect(tags.count == 2 && tags.first == tags.last, "\(tags)")
    }
  }

  @Test func unchangedFencesRetainTheirVersion() async throws {
    try await TestServer.run { server in
      let first = try await server.send("PUT", Self.path, body: ResponseTests.fence("a"))
      let second = try await server.send("PUT", Self.path, body: ResponseTests.fence("a"))
      #expect(first.headers["ETag"] == second.headers["ETag"])
    }
  }
}
