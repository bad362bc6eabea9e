import Foundation
import NIOHTTP1
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsTesting

@testable import WhereaboutsServer

/// A server that is killed while it notifies.
@Suite struct AlertKillTests {
  private struct Content: Decodable {
    struct Crossing: Decodable { var id: Int }
    var id: String, crossing: Crossing
  }

  /// Kills come while a request is under way, before its answer is stored, or at any other time.
  @Test func killNeverNotifiesACrossingUnderTwoIDs() async throws {
    let folder = try TemporaryPlace(), kills = 6, seed = UInt64.random(in: 0 ... .max)
    // Every second request gets no answer, so that its delivery is not known to have worked.
    let receiver = try await WebhookReceiver { $0.isMultiple(of: 2) ? nil : .ok }
    let alerts = try folder.write(
      """
      {"channels": {"c": {"webhook": "\(receiver.url)", "timeout": "1s"}},
        "alerts": [{"name": "way", "fences": ["home"], "events": ["enter", "exit"], "channels": ["c"]}]}
      """, to: "alerts.json")
    let arguments = ["--listen", "127.0.0.1:0", "--store", folder.path("s"), "--alerts", alerts]
    var random = SeededGenerator(seed: seed), ids: [Int: Set<String>] = [:], token = ""
    var requests = receiver.requests.makeAsyncIterator()
    let start = UTCTime.now.advanced(by: .seconds(-6000))
    // The crossing of each round has the number of the round, from 1.
    for round in 0...kills {
      let server = try ServerProcess(arguments)
      let port = try await server.ready()
      if round == 0 {
        token = try server.token()
        #expect(try await Self.send("PUT", "/api/v1/fences", Batches.fence(), token, port).contains(" 200 "))
      }
      let batch = Batches.overland(
        round.isMultiple(of: 2) ? Self.out : Self.out.reversed(),
        end: start.advanced(by: .seconds(600 * (round + 1))), device: "anna")
      #expect(try await Self.send("POST", "/overland", batch, token, port).contains(" 200 "))
      // One always comes: each crossing is reported in its round, and unanswered ones come again.
      repeat {
        let request = try #require(await requests.next())
        let content = try JSONDecoder().decode(Content.self, from: Data(request.body))
        ids[content.crossing.id, default: []].insert(content.id)
        // In the last round the delivery continues to the crossing of that round.
      } while round == kills && ids[kills + 1] == nil
      for _ in 0..<Int.random(in: 0..<5000, using: &random) { await Task.yield() }
      server.send(SIGKILL)
      _ = await server.end()
    }
    await receiver.stop()
    #expect(ids.values.allSatisfy { $0.count == 1 }, "seed \(seed): \(ids)")
    #expect(ids.keys.contains(kills + 1), "seed \(seed): \(ids)")
  }

  private static let out =
    Array(repeating: 0.0, count: 5) + (1...20).map { Double($0) * 40 } + Array(repeating: 800, count: 5)

  private static func send(
    _ method: String, _ path: String, _ body: String, _ token: String, _ port: Int
  ) async throws -> String {
    let connection = try RawConnection(port: port)
    try connection.request(method, path, token: token, body: body, fields: "Connection: close\r\n")
    return await connection.read()
  }
}
