import Foundation
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsSources

/// Programs that were made for gpsd, unmodified.
@Suite(.timeLimit(.minutes(5)), .enabled(if: isInstalled("gpspipe"), "gpspipe is not installed"))
struct RelayLiveTests {
  private static let fixes: [RecordingElement] = (0..<3000).compactMap { number in
    Coordinate(latitude: 47 + Double(number) / 60_000, longitude: 8.25).map {
      var fix = Fix(coordinate: $0, time: MadeUpWay.time(number), source: .nmea)
      fix.mode = .threeD
      fix.heightAboveGeoid = 400
      return .fix(fix)
    }
  }

  @Test func gpspipeShowsAFix() async throws {
    let server = try await RelayServer(gpsd: RelayAddress(port: 0), nmea: nil)
    let serving = Task { await server.serve(ReplaySource(Self.fixes, speed: .times(1))) }
    let port = server.gpsdAddress?.port ?? 0
    let pipe = try LiveProcess("gpspipe", ["-w", "-n", "8", "127.0.0.1:\(port)"])
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    for await line in pipe.lines { decoder.decode(Array("\(line)\n".utf8), into: &batch) }
    #expect(await pipe.end() == 0, "\(pipe.errors)")
    #expect(batch.problems.total == 0)
    #expect(batch.fixes.count >= 4)
    #expect(batch.fixes.allSatisfy { MadeUpWay.number(of: $0) != nil })
    // Sentences too, over the same port.
    let sentences = try LiveProcess("gpspipe", ["-r", "-n", "12", "127.0.0.1:\(port)"])
    var lines: [String] = []
    for await line in sentences.lines { lines.append(line) }
    await sentences.end()
    #expect(lines.contains { $0.hasPrefix("$GPRMC,") }, "\(lines)")
    serving.cancel()
    await serving.value
  }

  @Test func realGpsdTakesTheSentencesOfARelay() async throws {
    guard LiveGPSD.isInstalled else { return }
    let server = try await RelayServer(gpsd: nil, nmea: RelayAddress(host: "127.0.0.1", port: 0))
    let serving = Task { await server.serve(ReplaySource(Self.fixes, speed: .times(1))) }
    let gpsd = try LiveGPSD()
    let process = try await gpsd.start(with: ["tcp://127.0.0.1:\(server.nmeaAddress?.port ?? 0)"])
    let source = HeardSource(GPSDSource(port: gpsd.port), .continuous(ContinuousDemand(accuracy: 10)))
    var numbers: [Int] = []
    for await (signal, _) in source.signals {
      guard case .fix(let fix, _) = signal, fix.time != nil else { continue }
      let number = try #require(MadeUpWay.number(of: fix))
      numbers.append(number)
      if numbers.count == 5 { break }
    }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 })
    await source.cancel()
    serving.cancel()
    await serving.value
    await process.end(with: SIGKILL)
  }
}
