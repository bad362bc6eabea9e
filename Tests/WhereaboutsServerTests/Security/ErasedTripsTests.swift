import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// The trips of a device whose data are erased meanwhile.
@Suite struct ErasedTripsTests {
  @Test func tripThatIsErasedDuringTheAnswerIsNotInIt() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      let sent = try await server.post("/overland", Batches.overland([0, 20, 40]), token: token)
      #expect(sent.status == 200)
      #expect(try await !server.core.trips(of: "anna").isEmpty)
      let session = try #require(await server.core.devices.loadedSession(of: "anna"))
      let answer = try await server.core.trips(of: "anna", in: session) {
        let open = await session.manager.tripsWithAhead
        #expect(!open.isEmpty)
        let erased = try? await server.send(.DELETE, "/api/v1/devices/anna", token: server.admin)
        #expect(erased?.status == 200)
        return open
      }
      #expect(answer.isEmpty)
    }
  }

  /// An answer of several steps may have read its first step before.
  @Test func answerOfSeveralStepsIsReadAgainAfterAnErasure() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      _ = try await server.post("/overland", Batches.overland([0, 20, 40]), token: token)
      var reads = 0
      let devices = try await server.core.readWithoutErasures { () async throws -> [DeviceID] in
        let devices = try server.store.devices()
        reads += 1
        // The last step follows.
        if reads == 1 { _ = try server.store.forget(.device("anna")) }
        return devices
      }
      #expect(reads == 2 && devices.isEmpty)
      // Without an erasure once, and with one in each read never.
      #expect(try await server.core.readWithoutErasures { 1 } == 1)
      await #expect(throws: Problem.self) {
        try await server.core.readWithoutErasures { _ = try server.store.forget(.crossings(of: "anna")) }
      }
    }
  }

  @Test func engineWhoseDataAreBeingErasedHasNoOpenTrips() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), devices = server.core.devices
      _ = try await server.post("/overland", Batches.overland([0, 20, 40]), token: token)
      let session = await devices.retain("anna")
      let before = await session.manager.tripsWithAhead
      #expect(!before.isEmpty)
      // The erasure of the store happens first here: the device is still in use.
      _ = try server.store.forget(.device("anna"))
      await session.endWaits()
      #expect(try await server.core.trips(of: "anna").isEmpty)
      await devices.release(session)
    }
  }
}
