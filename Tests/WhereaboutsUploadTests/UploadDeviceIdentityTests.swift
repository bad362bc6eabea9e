import GRDB
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsTesting

@testable import WhereaboutsUpload

/// Places of one device never go to the server of another, also when a device is forgotten while an uploader runs.
@Suite struct UploadDeviceIdentityTests {
  private func server() async throws -> TestServer {
    try await TestServer.start { _ in .answer(200, body: #"{"result":"ok"}"#) }
  }

  private func endpoint(_ name: String, _ server: TestServer, of device: DeviceID) -> Endpoint {
    var endpoint = Endpoint.test(.whereabouts, server, name: name)
    endpoint.device = device
    endpoint.shownAs = "\(device.rawValue)-phone"
    endpoint.interval = .seconds(1)
    endpoint.timeout = .longerThanAnyTest
    return endpoint
  }

  /// The received requests without repetitions, which occur since time advances during a reply.
  private func ids(of server: TestServer) -> [String] {
    var keys: Set<String> = []
    return server.requests.filter { keys.insert($0.key).inserted }.flatMap(\.ids)
  }

  @Test func runningUploaderSeparatesDevicesAfterOneIsForgotten() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let (serverOfB, serverOfC) = (try await server(), try await server())
    try store.add(endpoint("b", serverOfB, of: "b"))
    try store.add(endpoint("c", serverOfC, of: "c"))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)], device: "b"))
    let uploader = rig.uploader(store)
    let running = Task { await uploader.run() }
    await rig.pass { !serverOfB.requests.isEmpty }
    try store.forget(.device("b"))
    // Device c is new: nothing of b is left that c could be taken for.
    try await store.commit(SampleHistory.commit((2...4).map { SampleHistory.fix($0) }, device: "c"))
    await rig.pass { !serverOfC.requests.isEmpty }
    // Several more looks, in which a worker for b could find the fixes of c.
    let end = rig.clock.now.offset + .seconds(10)
    try await store.commit(SampleHistory.commit([SampleHistory.fix(20)], device: "c"))
    await rig.pass { rig.clock.now.offset >= end && ids(of: serverOfC).count >= 4 }
    running.cancel()
    await running.value
    #expect(ids(of: serverOfB) == ["fix/1"])
    #expect(serverOfB.requests.allSatisfy { $0.text.contains("\"device\":\"b-phone\"") })
    #expect(ids(of: serverOfC) == ["fix/1", "fix/2", "fix/3", "fix/4"])
    #expect(serverOfC.requests.allSatisfy { $0.text.contains("\"device\":\"c-phone\"") })
    try await serverOfB.stop()
    try await serverOfC.stop()
  }

  /// Slashes divide OwnTracks' topic `owntracks/USER/DEVICE`: a server would take `ann/phone` and `ann/watch` for the
  /// device `ann`.
  @Test func owntracksSeparatesDevicesWithAnyNames() async throws {
    let rig = try UploadFixture(), store = try rig.store()
    let server = try await TestServer.start { _ in .answer(200, body: "[]") }
    try store.add(.test(.owntracks, server))
    for name in ["ann/phone", "ann/watch", "my phone", "ann%2Fphone", "a\nb", "c+#"] {
      try await store.commit(SampleHistory.commit([SampleHistory.fix(1)], device: DeviceID(name)))
    }
    try await rig.drive(store)
    let levels = ["ann%2Fphone", "ann%2Fwatch", "my%20phone", "ann%252Fphone", "a%0Ab", "c%2B%23"]
    #expect(server.requests.compactMap { $0.fields["x-limit-d"] } == levels)
    for (request, level) in zip(server.requests, levels) {
      #expect(request.text.contains(#""topic":"owntracks/whereabouts/\#(level)""#), "\(request.text)")
    }
    #expect(server.requests.first?.text.contains(#""tid":"ne""#) == true)
    try await server.stop()
  }

  /// The same row id with another name, as files of earlier versions could have it.
  @Test func forgottenDeviceHasNoUploads() async throws {
    let rig = try UploadFixture(), store = try rig.store(), server = try await server()
    try store.add(endpoint("b", server, of: "b"))
    try await store.commit(SampleHistory.commit([SampleHistory.fix(1)], device: "b"))
    let (row, devices) = try #require(try store.uploadTargets().first)
    let device = try #require(devices.first)
    _ = try store.buildUploads(row, device, at: UploadFixture.start, makeKey: SQLiteStore.newKey)
    #expect(try store.uploadWork(row.id, device)?.next != nil)
    try store.write {
      try $0.execute(sql: "UPDATE device SET name = 'c' WHERE id = ?", arguments: [device.id])
    }
    try await store.commit(SampleHistory.commit([SampleHistory.fix(2)], device: "c"))
    #expect(try store.uploadWork(row.id, device) == nil)
    let formed = try store.buildUploads(row, device, at: UploadFixture.start, makeKey: SQLiteStore.newKey)
    #expect(formed.batches == 0)
    try await server.stop()
  }
}
