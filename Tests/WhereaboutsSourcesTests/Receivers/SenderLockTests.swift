import NIOCore
import Testing
import WhereaboutsModel

@testable import WhereaboutsSources

@Suite struct SenderLockTests {
  /// The decisions for datagrams, each with a sender (an address and a port) and a time in seconds.
  private func verdicts(_ datagrams: [(String, Int, Double)]) throws -> [SenderLock.Verdict] {
    var lock = SenderLock()
    return try datagrams.map { address, port, seconds in
      lock.check(try SocketAddress(ipAddress: address, port: port), at: Instant(.seconds(100 + seconds)))
    }
  }

  @Test func firstSenderIsUsedWhileItDelivers() throws {
    let a = ("10.0.0.1", 4000), b = ("10.0.0.2", 4000)
    #expect(
      try verdicts([(a.0, a.1, 0), (b.0, b.1, 0.5), (a.0, a.1, 1), (b.0, b.1, 1.5), (a.0, a.1, 2)])
        == [.accepted, .ignored, .accepted, .ignored, .accepted])
  }

  @Test func anotherSenderReplacesASilentOne() throws {
    let a = ("10.0.0.1", 4000), b = ("10.0.0.2", 4000)
    #expect(
      try verdicts([(a.0, a.1, 0), (b.0, b.1, 4.9), (b.0, b.1, 5), (a.0, a.1, 5.5), (b.0, b.1, 6)])
        == [.accepted, .ignored, .acceptedFromNewSender, .ignored, .accepted])
  }

  @Test func twoPortsOfOneHostAreTwoSenders() throws {
    var datagrams: [(String, Int, Double)] = []
    for second in 0..<10 {
      datagrams += [("127.0.0.1", 4000, Double(second)), ("127.0.0.1", 4001, Double(second) + 0.5)]
    }
    #expect(try verdicts(datagrams) == Array(repeating: [.accepted, .ignored], count: 10).flatMap { $0 })
  }

  @Test func senderWithChangingPortsIsOneSender() throws {
    let datagrams = (0..<10).map { ("10.0.0.1", 4000 + $0, Double($0)) }
    #expect(
      try verdicts(datagrams) == [.accepted, .ignored, .ignored] + Array(repeating: .accepted, count: 7))
  }
}
