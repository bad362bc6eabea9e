import Foundation
import NIOCore
import NIOPosix
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsTesting

@testable import WhereaboutsSources

/// Over real sockets of this machine.
@Suite struct RelayServerTests {
  /// A source that sends a fix on command while there is a demand.
  private final class ManualSource: LocationSource {
    let demands: AsyncStream<Demand>
    private let demandsIn: AsyncStream<Demand>.Continuation
    private let fixes: AsyncStream<Fix>
    private let fixesIn: AsyncStream<Fix>.Continuation

    init() {
      (demands, demandsIn) = AsyncStream.makeStream(of: Demand.self)
      (fixes, fixesIn) = AsyncStream.makeStream(of: Fix.self)
    }

    func emitFix(_ second: Int) {
      fixesIn.yield(
        .test(
          latitude: 47, longitude: 8, accuracy: 5,
          time: UTCTime(nanosecondsSince1970: 1_717_243_200_000_000_000).advanced(by: .seconds(second))))
    }

    func run(_ link: SourceLink) async {
      await withTaskGroup { group in
        group.addTask { for await demand in link.demands { self.demandsIn.yield(demand) } }
        for await fix in fixes { await link.send(.fix(fix, age: .sinceArrival)) }
      }
    }
  }

  private func serve(_ pump: ManualSource) async throws -> (RelayServer, Task<Void, Never>) {
    let server = try await RelayServer(
      gpsd: RelayAddress(port: 0), nmea: RelayAddress(host: "127.0.0.1", port: 0))
    return (server, Task { await server.serve(pump) })
  }

  private func second(of signal: SourceSignal?) -> Int? {
    guard case .fix(let fix, _) = signal else { return nil }
    return fix.time?.civil.second
  }

  @Test func gpsdSourceAcceptsTheRelay() async throws {
    let pump = ManualSource()
    var demands = pump.demands.makeAsyncIterator()
    let server = try await RelayServer(gpsd: RelayAddress(port: 0), nmea: nil)
    let serving = Task { await server.serve(pump) }
    // In one process a source knows its own relay: another's word is put in its mouth.
    let source = RunningSource(GPSDSource(port: server.gpsdAddress?.port ?? 0, ownRelay: "nobody"))
    var signals = source.signals.makeAsyncIterator()
    source.setDemand(.some)
    while await demands.next() == .off {}
    pump.emitFix(1)
    // Before it, a problem is reported where the relay was silent for some seconds.
    var signal = await signals.next()
    while case .unavailable = signal { signal = await signals.next() }
    #expect(second(of: signal) == 1)
    source.setDemand(.off)
    #expect(await demands.next() == .off, "the receiver is off without a watching client")
    await source.cancel()
    serving.cancel()
    await serving.value
  }

  @Test func gpsdSourceRefusesItsOwnRelay() async throws {
    let (server, serving) = try await serve(ManualSource())
    let source = RunningSource(GPSDSource(port: server.gpsdAddress?.port ?? 0))
    source.setDemand(.some)
    #expect(await source.problemAfterSilence()?.code == .notUnderstood)
    await source.cancel()
    serving.cancel()
    await serving.value
  }

  @Test func sentencesAreServedOverTCP() async throws {
    let pump = ManualSource()
    var demands = pump.demands.makeAsyncIterator()
    let (server, serving) = try await serve(pump)
    let client = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .connect(host: "127.0.0.1", port: server.nmeaAddress?.port ?? 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    // Unread fixes are replaced: the first may be missing.
    while await demands.next() == .off {}
    pump.emitFix(7)
    var text = ""
    try await client.executeThenClose { inbound, _ in
      for try await bytes in inbound {
        text += String(buffer: bytes)
        if text.contains("GST") { break }
      }
    }
    #expect(text.hasPrefix("$GPRMC,120007.00,A,4700.000000,N,00800.000000,E,"))
    serving.cancel()
    await serving.value
  }

  @Test func portInUseIsReported() async throws {
    let (server, serving) = try await serve(ManualSource())
    let address = try #require(server.gpsdAddress)
    await #expect {
      _ = try await RelayServer(gpsd: address, nmea: nil)
    } throws: { error in
      guard let problem = error as? SourceProblem else { return false }
      return problem.message == "listen at \(address.text): address already in use"
        && problem.remedy?.contains("gpsd") == true
    }
    serving.cancel()
    await serving.value
  }

  /// As of a port below 1024.
  @Test func refusedPortIsNotPermitted() {
    let refusal = IOError(errnoCode: EACCES, reason: "bind")
    let problem = RelayServer.problem(refusal, at: RelayAddress(port: 80), isGPSD: false)
    #expect(problem.code == .notPermitted && problem.message.hasSuffix(":80: permission denied"))
    #expect(problem.remedy?.contains("CAP_NET_BIND_SERVICE") == true)
  }

  @Test func clientLimitsAreSeparatePerProtocol() async throws {
    let (statuses, statusesIn) = AsyncStream.makeStream(of: RelayStatus.self)
    let address = RelayAddress(host: "127.0.0.1", port: 0)
    let server = try await RelayServer(gpsd: address, nmea: address)
    let serving = Task { await server.serve(ManualSource()) { statusesIn.yield($0) } }
    var clients: [any Channel] = []
    for _ in 0..<65 {
      clients.append(
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .connect(host: "127.0.0.1", port: server.gpsdAddress?.port ?? 0).get())
    }
    clients.append(
      try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: server.nmeaAddress?.port ?? 0).get())
    var last = RelayStatus()
    for await status in statuses {
      last = status
      if status.refusedClients > 0, status.nmeaClients > 0 { break }
    }
    #expect((last.gpsdClients, last.nmeaClients, last.refusedClients) == (64, 1, 1))
    serving.cancel()
    await serving.value
    for client in clients { try? await client.close() }
  }

  /// A source that sends its second fix while the status after the first is reported.
  private struct OverlappingSource: LocationSource {
    let isReported = Promise<Bool>()
    let isSecondSent = Promise<Bool>()

    func run(_ link: SourceLink) async {
      let fix = SourceSignal.fix(
        .test(latitude: 47, longitude: 8, accuracy: 5, time: nil), age: .sinceArrival)
      async let first = link.send(fix)
      _ = await isReported.result
      await link.send(fix)
      await isSecondSent.fulfil(true)
      _ = await first
    }
  }

  @Test func statusesAreReportedInOrder() async throws {
    let source = OverlappingSource()
    let (counts, countsIn) = AsyncStream.makeStream(of: Int.self)
    let server = try await RelayServer(gpsd: nil, nmea: RelayAddress(host: "127.0.0.1", port: 0))
    let serving = Task {
      await server.serve(source) { status in
        if status.fixCount == 1 {
          await source.isReported.fulfil(true)
          _ = await source.isSecondSent.result
        }
        countsIn.yield(status.fixCount)
      }
    }
    var reported = counts.makeAsyncIterator()
    #expect(await reported.next() == 1)
    #expect(await reported.next() == 2)
    serving.cancel()
    await serving.value
  }

  /// Passes on what a client reads.
  private final class TextHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let report: @Sendable (String) -> Void

    init(_ report: @escaping @Sendable (String) -> Void) { self.report = report }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      report(String(buffer: unwrapInboundIn(data)))
    }
  }

  @Test func slowClientIsDroppedWithoutAffectingOthers() async throws {
    let pump = ManualSource()
    let (statuses, statusesIn) = AsyncStream.makeStream(of: RelayStatus.self)
    let (texts, textsIn) = AsyncStream.makeStream(of: String.self)
    let server = try await RelayServer(gpsd: nil, nmea: RelayAddress(host: "127.0.0.1", port: 0))
    let serving = Task { await server.serve(pump) { statusesIn.yield($0) } }
    let port = server.nmeaAddress?.port ?? 0
    // It never reads.
    let slow = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.autoRead, value: false)
      .channelOption(.socketOption(.so_rcvbuf), value: 4096)
      .connect(host: "127.0.0.1", port: port).get()
    let quick = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(TextHandler { textsIn.yield($0) })
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    var status = statuses.makeAsyncIterator()
    while let now = await status.next(), now.nmeaClients < 2 {}
    let pumping = Task {
      var pieces = texts.makeAsyncIterator(), second = 0
      while !Task.isCancelled {
        for _ in 0..<100 { pump.emitFix(second) }
        // No faster than the quick client reads: it would be a slow one, too, while its thread stands still.
        let digits = "\(120_000 + second / 60 * 100 + second % 60)"
        var text = ""
        while !text.contains("$GPRMC,\(digits)."), let piece = await pieces.next() { text += piece }
        second += 1
      }
    }
    while let now = await status.next() {
      guard now.droppedClients > 0 else { continue }
      #expect(now.droppedClients == 1)
      break
    }
    #expect(quick.isActive)
    pumping.cancel()
    serving.cancel()
    await serving.value
    try? await slow.close()
    try? await quick.close()
  }
}
