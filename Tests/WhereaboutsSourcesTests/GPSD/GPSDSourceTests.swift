import NIOCore
import Testing
import Whereabouts
import WhereaboutsTesting

@testable import WhereaboutsSources

/// Over real sockets of this machine.
@Suite struct GPSDSourceTests {
  typealias Harness = GPSDSessionHarness

  /// Returns the next events of the fake gpsd.
  private func nextEvents(
    _ count: Int, of events: inout AsyncStream<FakeGPSD.Event>.Iterator
  ) async -> [FakeGPSD.Event] {
    var result: [FakeGPSD.Event] = []
    while result.count < count, let event = await events.next() { result.append(event) }
    return result
  }

  private static let watch = #"?WATCH={"enable":true,"json":true};"#
  private static let unwatch = #"?WATCH={"enable":false};"#

  /// Returns the second of the next fix. A test that stands still may have problems before it.
  private func nextSecond(of signals: inout AsyncStream<SourceSignal>.Iterator) async -> Int? {
    while let signal = await signals.next() {
      if case .fix(let fix, .sinceArrival) = signal { return fix.time?.civil.second }
    }
    return nil
  }

  @Test func eachConnectionHasOneWatchAndNoneWithoutDemand() async throws {
    let gpsd = try await FakeGPSD()
    var events = gpsd.events.makeAsyncIterator()
    let source = RunningSource(GPSDSource(port: gpsd.port))
    var signals = source.signals.makeAsyncIterator()
    source.setDemand(.some)
    #expect(await nextEvents(2, of: &events) == [.connected(0), .received(0, Self.watch)])
    gpsd.send(Harness.tpv(0), to: 0)
    #expect(await nextSecond(of: &signals) == 0)
    gpsd.disconnect(0)
    #expect(await nextEvents(3, of: &events) == [.closed(0), .connected(1), .received(1, Self.watch)])
    gpsd.send(Harness.tpv(0), Harness.tpv(1), to: 1)
    #expect(await nextSecond(of: &signals) == 1, "the earlier fix is not repeated")
    source.setDemand(.off)
    #expect(await nextEvents(2, of: &events) == [.received(1, Self.unwatch), .closed(1)])
    source.setDemand(.some)
    #expect(await nextEvents(2, of: &events) == [.connected(2), .received(2, Self.watch)])
    await source.cancel()
    #expect(await nextEvents(1, of: &events) == [.closed(2)], "cancelled, it lets go")
    await gpsd.stop()
  }

  @Test func secondDeviceWithFixesIsReportedOnce() async throws {
    let gpsd = try await FakeGPSD()
    var events = gpsd.events.makeAsyncIterator()
    let (reports, inlet) = AsyncStream.makeStream(of: [String].self)
    var address = GPSDAddress()
    address.port = gpsd.port
    let source = RunningSource(address.observedSource(onSecondDevice: { inlet.yield([$0, $1]) }))
    var signals = source.signals.makeAsyncIterator()
    source.setDemand(.some)
    #expect(await nextEvents(2, of: &events) == [.connected(0), .received(0, Self.watch)])
    let other = "/dev/ttyUSB0"
    gpsd.send(
      Harness.tpv(0), Harness.tpv(0, device: other), Harness.tpv(1), Harness.tpv(1, device: other), to: 0)
    #expect(await nextSecond(of: &signals) == 0)
    #expect(await nextSecond(of: &signals) == 1)
    await source.cancel()
    inlet.finish()
    var all: [[String]] = []
    for await report in reports { all.append(report) }
    #expect(all == [["/dev/ttyACM0", other]])
    await gpsd.stop()
  }

  /// Returns a gpsd at a port below the ephemeral ones, which the system assigns to nobody.
  private static func gpsdAtOwnPort() async throws -> FakeGPSD {
    for _ in 0..<20 {
      // Another program may listen there.
      if let gpsd = try? await FakeGPSD(port: .random(in: 20_000..<30_000)) { return gpsd }
    }
    return try await FakeGPSD(port: .random(in: 20_000..<30_000))
  }

  @Test func serverStartedLaterIsConnected() async throws {
    let first = try await Self.gpsdAtOwnPort()
    await first.stop()
    let source = RunningSource(GPSDSource(port: first.port))
    var signals = source.signals.makeAsyncIterator()
    source.setDemand(.some)
    guard case .unavailable(let problem) = await signals.next() else {
      Issue.record("no problem was reported")
      return
    }
    #expect(problem.code == .unreachable)
    #expect(problem.message == "reach gpsd at localhost:\(first.port): connection refused")
    let gpsd = try await FakeGPSD(port: first.port)
    var events = gpsd.events.makeAsyncIterator()
    #expect(await nextEvents(2, of: &events) == [.connected(0), .received(0, Self.watch)])
    gpsd.send(Harness.tpv(3), to: 0)
    #expect(await nextSecond(of: &signals) == 3)
    await source.finish()
    await gpsd.stop()
  }

  /// Whether a server can listen at the IPv6 loopback address.
  private static func hasIPv6() async -> Bool {
    guard let gpsd = try? await FakeGPSD(host: "::1") else { return false }
    await gpsd.stop()
    return true
  }

  @Test(.enabled("there is no IPv6 here") { await hasIPv6() })
  func localhostTriesIPv4AndIPv6() async throws {
    let gpsd = try await FakeGPSD(host: "::1")
    var events = gpsd.events.makeAsyncIterator()
    let source = RunningSource(GPSDSource(port: gpsd.port))
    source.setDemand(.some)
    #expect(await nextEvents(2, of: &events) == [.connected(0), .received(0, Self.watch)])
    await source.cancel()
    await gpsd.stop()
  }

  @Test func otherServerAtThePortIsReported() async throws {
    let server = try await FakeGPSD { _ in ["HTTP/1.1 400 Bad Request", ""] }
    let source = RunningSource(GPSDSource(host: "127.0.0.1", port: server.port))
    source.setDemand(.some)
    #expect(await source.problemAfterSilence()?.code == .notUnderstood)
    await source.cancel()
    await server.stop()
  }

  @Test func slowConsumerIsNoSilence() async throws {
    let clock = StepClock()
    let gpsd = try await FakeGPSD()
    var events = gpsd.events.makeAsyncIterator()
    let source = RunningSource(
      GPSDSource(port: gpsd.port, ownRelay: "nobody", time: RelativeClock(clock))
    ) { signal in
      if case .fix = signal { await clock.advance(by: .seconds(9)) }
    }
    var signals = source.signals.makeAsyncIterator()
    source.setDemand(.some)
    _ = await nextEvents(2, of: &events)
    for second in 0..<3 {
      gpsd.send(Harness.tpv(second), to: 0)
      guard case .fix(let fix, _) = await signals.next() else {
        Issue.record("gpsd was said to be silent")
        break
      }
      #expect(fix.time?.civil.second == second)
    }
    await source.cancel()
    await gpsd.stop()
  }

  @Test func linesMayArriveInPieces() async throws {
    let gpsd = try await FakeGPSD()
    var events = gpsd.events.makeAsyncIterator()
    let source = RunningSource(GPSDSource(port: gpsd.port))
    var signals = source.signals.makeAsyncIterator()
    source.setDemand(.some)
    _ = await nextEvents(2, of: &events)
    for second in 0..<50 { gpsd.send(Harness.tpv(second), to: 0) }
    for second in 0..<50 { #expect(await nextSecond(of: &signals) == second) }
    await source.cancel()
    await gpsd.stop()
  }

  @Test func managerRequestIsAnswered() async throws {
    let gpsd = try await FakeGPSD()
    let manager = LocationManager(source: GPSDSource(port: gpsd.port), clock: .system)
    let request = manager.request(.city, timeout: nil)
    for await event in gpsd.events {
      guard case .received(let number, Self.watch) = event else { continue }
      gpsd.send(String(Harness.tpv(0).dropLast()) + #","eph":5}"#, to: number)
      break
    }
    #expect(await request.answer?.fix.source == .gpsd)
    await gpsd.stop()
  }
}
