import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// The newest fix of a device whose data are erased meanwhile.
@Suite struct ErasedLastFixTests {
  @Test func fixThatIsErasedDuringTheAnswerIsNotInIt() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write])
      let sent = try await server.post("/overland", Batches.overland([0, 20, 40]), token: token)
      #expect(sent.status == 200)
      #expect(try await server.core.lastFix(of: "anna") != nil)
      let session = try #require(await server.core.devices.loadedSession(of: "anna"))
      let answer = try await server.core.lastFix(of: "anna", in: session) {
        let live = await session.manager.lastFix?.fix
        #expect(live != nil)
        let erased = try? await server.send(.DELETE, "/api/v1/devices/anna", token: server.admin)
        #expect(erased?.status == 200)
        return live
      }
      #expect(answer == nil)
    }
  }

  @Test func engineWhoseDataAreBeingErasedAnswersNoMore() async throws {
    try await TestServer.run { server in
      let token = try server.token("anna", [.write]), devices = server.core.devices
      _ = try await server.post("/overland", Batches.overland([0, 20, 40]), token: token)
      let session = await devices.retain("anna")
      let before = await session.manager.lastFix?.fix
      #expect(before != nil)
      // The erasure of the store happens first here: the device is still in use.
      _ = try server.store.forget(.device("anna"))
      await session.endWaits()
      #expect(try await server.core.lastFix(of: "anna") == nil)
      await devices.release(session)
    }
  }
}
