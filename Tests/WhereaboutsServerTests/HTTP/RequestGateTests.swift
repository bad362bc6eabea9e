import Testing

@testable import WhereaboutsServer

@Suite struct RequestGateTests {
  private static func gate(_ places: Int) -> RequestGate {
    var limits = ServerLimits()
    limits.ingestions = places
    return RequestGate(LiveLimits(limits)) { $0.ingestions }
  }

  private static func enters(_ gate: RequestGate, token: Int64) async -> Bool {
    do {
      try await gate.run(for: token) {}
      return true
    } catch {
      return false
    }
  }

  @Test func tokenLeavesHalfOfThePlacesToOthers() async throws {
    let gate = Self.gate(4)
    try await gate.run(for: 1) {
      #expect(await Self.enters(gate, token: 1))
      try await gate.run(for: 1) {
        #expect(await !Self.enters(gate, token: 1))
        try await gate.run(for: 2) {
          #expect(await Self.enters(gate, token: 2))
          try await gate.run(for: 3) {
            #expect(await !Self.enters(gate, token: 4))
          }
        }
      }
    }
    #expect(await Self.enters(gate, token: 1))
  }

  @Test func singlePlaceIsForEachToken() async throws {
    let gate = Self.gate(1)
    #expect(await Self.enters(gate, token: 1))
    #expect(await Self.enters(gate, token: 2))
  }
}
