import Foundation
import Testing
import Whereabouts
import WhereaboutsModel
import WhereaboutsGeodesy
import WhereaboutsTesting

@testable import WhereaboutsSources

@Suite struct SerialTests {
  private func source(_ path: String, baud: Int? = nil, flushesAfter: Duration = .seconds(3600))
    -> ReceiverSource
  {
    ReceiverSource(
      .serial(path: path, baud: baud), settings: ReceiverSamples.settings(flushesAfter: flushesAfter))
  }

  @Test func fixesArriveAndTheLineIsReleased() async throws {
    let line = try PseudoTerminal()
    var rig = SourceHarness(source(line.device))
    try await line.waitUntilRead()
    try await line.write((0..<5).flatMap { ReceiverSamples.instant($0) })
    let fixes = await rig.fixes(4)
    #expect(fixes == Array(ReceiverSamples.fixes((0..<5).flatMap { ReceiverSamples.instant($0) }).prefix(4)))
    #expect(await rig.end() < .seconds(600), "the end does not wait for more data")
    // The line was locked until the end.
    let file = DeviceFile(.serial(path: line.device), path: line.device)
    try file.probe(isExclusive: true)
  }

  @Test func lineIsFreeWithoutDemand() async throws {
    let line = try PseudoTerminal()
    var rig = SourceHarness(source(line.device), demand: .off)
    let file = DeviceFile(.serial(path: line.device), path: line.device)
    try file.probe(isExclusive: true)
    rig.setDemand(SourceHarness.defaultDemand)
    try await line.waitUntilRead()
    #expect(throws: ReceiverLineError.self) { try file.probe(isExclusive: true) }
    rig.setDemand(.off)
    while (try? file.probe(isExclusive: true)) == nil { try await Task.sleep(for: .milliseconds(1)) }
    // The source locks the line before it drops what waits: the lock does not show that later bytes are read.
    line.leaveRawMode()
    rig.setDemand(SourceHarness.defaultDemand)
    try await line.waitUntilRead()
    try await line.write((0..<3).flatMap { ReceiverSamples.instant($0) })
    #expect(await rig.fixes(2).count == 2)
    #expect(!rig.receivedSignals.contains(.segmentBegan))
    _ = await rig.end()
  }

  @Test func lockedLineIsReportedInUse() async throws {
    let line = try PseudoTerminal()
    let other = open(line.device, O_RDONLY | O_NOCTTY | O_NONBLOCK)
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
    var rig = SourceHarness(source(line.device))
    let problem = await rig.problem(.inUse)
    #expect(problem?.message == "open \(line.device): another program has it open")
    close(other)
    try await line.waitUntilRead()
    try await line.write((0..<3).flatMap { ReceiverSamples.instant($0) })
    #expect(await rig.fixes(2).count == 2)
    _ = await rig.end()
  }

  @Test func unpluggedReceiverIsReopenedWhenItReturns() async throws {
    let folder = try TemporaryFolder()
    let link = folder.path + "/gps"
    var rig = SourceHarness(source(link))
    #expect(await rig.problem(.noReceiver)?.message == "open \(link): there is no such device")
    let first = try PseudoTerminal(linkedFrom: link)
    try await first.waitUntilRead()
    try await first.write((0..<3).flatMap { ReceiverSamples.instant($0) })
    #expect(await rig.fixes(2).count == 2)
    first.unplug()
    #expect(await rig.problem(.noReceiver)?.message == "read \(link): it is unplugged")
    let second = try PseudoTerminal(linkedFrom: link)
    try await second.waitUntilRead()
    // Repeats the last reported second, and then sends new ones.
    try await second.write((2..<6).flatMap { ReceiverSamples.instant($0) })
    let after = await rig.next { $0 == .segmentBegan || $0.isFix && $0.fix?.time?.civil.second ?? 0 > 2 }
    #expect(after == .segmentBegan)
    #expect(await rig.fixes(2).compactMap { $0.time?.civil.second } == [3, 4])
    _ = await rig.end()
  }

  @Test func disconnectingInMidSentenceInventsNoFix() async throws {
    let random = SeededGenerator(seed: UInt64.random(in: 1...UInt64.max))
    try await disconnectRepeatedly(100, random)
  }

  /// Unplugs the receiver repeatedly, and compares the fixes with direct decoding of each piece.
  private func disconnectRepeatedly(_ times: Int, _ random: SeededGenerator) async throws {
    var random = random
    let described = "\(random)"
    let capture = ReceiverSamples.capture("gpsdf.log") ?? (0..<600).flatMap { ReceiverSamples.instant($0) }
    let folder = try TemporaryFolder()
    var rig = SourceHarness(source(folder.path + "/gps"))
    var expected: [Fix] = []
    var position = 0
    for round in 0..<times {
      let line = try PseudoTerminal(linkedFrom: folder.path + "/gps")
      try await line.waitUntilRead()
      let end = min(capture.count, position + Int.random(in: 1...(2 * capture.count / times), using: &random))
      let piece = capture[position..<end]
      // Some bytes are lost between two connections.
      position = min(capture.count, end + Int.random(in: 0...20, using: &random))
      let lastLine = piece.lastIndex(of: 0x0A).map { $0 + 1 } ?? piece.startIndex
      let bearing = Double(round) / 10
      let whole = Array(piece[..<lastLine]) + [0x0D, 0x0A] + ReceiverSamples.sentence("HEHDT,\(bearing),T")
      try await line.write(whole + piece[lastLine...].prefix { $0 != UInt8(ascii: "*") })
      // The heading shows that all earlier bytes were read; half a sentence has no effect.
      _ = await rig.next { if case .heading(let heading) = $0 { heading.degrees == bearing } else { false } }
      line.unplug()
      _ = await rig.problem(.noReceiver)
      for fix in ReceiverSamples.fixes(whole) {
        guard let last = expected.last(where: { $0.time != nil })?.time else {
          expected.append(fix)
          continue
        }
        if let time = fix.time, time > last { expected.append(fix) }
      }
    }
    let received = rig.receivedSignals.compactMap(\.fix)
    #expect(received.count == expected.count, "\(described)")
    for (index, (one, other)) in zip(received, expected).enumerated() where one != other {
      Issue.record("fix \(index) is \(one), not \(other), \(described)")
      break
    }
    _ = await rig.end()
  }

  @Test(
    .enabled(
      if: ReceiverSamples.capture("bu353-glonass.log") != nil,
      "the captures of real receivers are not available"))
  func captureYieldsTheFixesOfDirectDecoding() async throws {
    for name in ["bu353-glonass.log", "gpsdf.log", "hemi.log", "haicom-305N.log", "ais-nmea.log"] {
      let capture = try #require(ReceiverSamples.capture(name))
      let expected = ReceiverSamples.fixes(capture, isWhole: false)
      let line = try PseudoTerminal()
      var rig = SourceHarness(source(line.device))
      try await line.waitUntilRead()
      async let writing: Void = line.write(capture)
      let received = await rig.fixes(expected.count)
      try await writing
      #expect(received == expected, "\(name)")
      _ = await rig.end()
    }
  }

  @Test(
    .enabled(
      if: ReceiverSamples.capture("bu353-glonass.log") != nil,
      "the captures of real receivers are not available"))
  func fixesArriveWithinTheirSecondAtRealPace() async throws {
    let capture = try #require(ReceiverSamples.capture("bu353-glonass.log"))
    // A second's sentences start at its first GGA.
    var seconds: [[UInt8]] = []
    for text in String(decoding: capture, as: UTF8.self).split(separator: "\r\n") where text.hasPrefix("$") {
      let bytes = Array((text + "\r\n").utf8)
      if text.dropFirst(3).hasPrefix("GGA") || seconds.isEmpty { seconds.append([]) }
      seconds[seconds.count - 1] += bytes
    }
    let played = Array(seconds.prefix(5))
    let expected = ReceiverSamples.fixes(played.flatMap { $0 })
    var received = try await play(played, fixes: expected.count)
    // A machine that pauses in the middle of a second gets a fix of each half.
    for _ in 0..<4 where received.map(\.time) != expected.map(\.time) {
      received = try await play(played, fixes: expected.count)
    }
    #expect(received.map(\.time) == expected.map(\.time))
    #expect(received.map(\.coordinate) == expected.map(\.coordinate))
  }

  /// Writes a part each second, and returns the first fixes.
  private func play(_ parts: [[UInt8]], fixes count: Int) async throws -> [Fix] {
    let line = try PseudoTerminal()
    var rig = SourceHarness(source(line.device, flushesAfter: .milliseconds(250)))
    try await line.waitUntilRead()
    let clock = ContinuousClock()
    let began = clock.now
    let writing = Task {
      for (index, bytes) in parts.enumerated() {
        try await clock.sleep(until: began + .seconds(index))
        try await line.write(bytes)
      }
    }
    let received = await rig.fixes(count)
    try await writing.value
    _ = await rig.end()
    return received
  }
}
