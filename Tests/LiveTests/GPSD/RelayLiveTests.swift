import Foundation
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsSources

/// Tests with unmodified gpsd clients.
@Suite(.enabled(if: isInstalled("gpspipe"), "gpspipe is not installed"))
struct RelayLiveTests {
  private static let fixes: [RecordingElement] = (0..<36_000).compactMap { number in
    Coordinate(latitude: 47 + Double(number) / 60_000, longitude: 8.25).map {
      var fix = Fix(coordinate: $0, time: SyntheticTrack.time(number), source: .nmea)
      fix.mode = .threeD
      fix.heightAboveGeoid = 400
      return .fix(fix)
    }
  }

  @Test func gpspipeReceivesAFix() async throws {
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
    #expect(batch.fixes.allSatisfy { SyntheticTrack.number(of: $0) != nil })
    // The same port also serves sentences.
    let sentences = try LiveProcess("gpspipe", ["-r", "-n", "12", "127.0.0.1:\(port)"])
    var lines: [String] = []
    for await line in sentences.lines { lines.append(line) }
    await sentences.end()
    #expect(lines.contains { $0.hasPrefix("$GPRMC,") }, "\(lines)")
    serving.cancel()
    await serving.value
  }
}
