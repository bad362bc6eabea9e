import Foundation
import Testing

/// Several sources with failover, at receivers behind named pipes.
@Suite struct SeveralSourcesTests {
  /// Sentences of a receiver that stays at one place, an instant each second; four lines for each.
  private static func sentences(minute: Int, latitude: Double, count: Int) -> [UInt8] {
    var sentences = NMEASentences(hour: 12, minute: minute, day: 1, month: 6, year: 2026)
    for second in 0..<count {
      sentences.append(
        NMEASentences.Epoch(
          second: second, latitude: latitude, longitude: 8.25, height: 400, speed: 0, course: 0,
          quality: NMEASentences.Quality(accuracy: 4, satellites: 8, dilution: 1), listsSatellites: false))
    }
    return sentences.bytes
  }

  /// A shell function that sends a file, about three instants a second.
  private static let play = """
    play() {
      while read -r a && read -r b && read -r c && read -r d; do
        printf '%s\\n' "$a" "$b" "$c" "$d" || break
        sleep 0.3
      done < "$1"
    }
    """

  @Test func nextSourceStepsInUntilThePreferredOneIsBack() async throws {
    let folder = try TemporaryFolder()
    let first = try folder.file("first", Self.sentences(minute: 0, latitude: 47.001, count: 1200))
    let second = try folder.file("second", Self.sentences(minute: 30, latitude: 47.002, count: 1200))
    let third = try folder.file("third", Self.sentences(minute: 60, latitude: 47.003, count: 1200))
    let (a, b, shown) = (folder.path("a"), folder.path("b"), folder.path("shown"))
    // Each receiver goes on until the output has what it waits for.
    let run = try await CommandRun(
      shell: """
        \(Self.play)
        shows() { wait_for $watch grep -q "$1" '\(shown)'; }
        mkfifo '\(a)' '\(b)'
        '\(CommandRun.binary.path())' watch --no-store --source 'nmea:\(a)' --source 'nmea:\(b)' \
        --format '{lat:3}' > '\(shown)' &
        watch=$!
        play '\(first)' 2>/dev/null > '\(a)' &
        preferred=$!
        shows 47.001
        play '\(second)' 2>/dev/null > '\(b)' &
        next=$!
        kill -KILL $preferred
        shows 47.002
        play '\(third)' 2>/dev/null > '\(a)' &
        preferred=$!
        shows 47.003
        kill -INT $watch
        wait $watch
        code=$?
        kill -KILL $preferred $next 2>/dev/null
        cat '\(shown)'
        exit $code
        """)
    #expect(run.code == 0, "\(run.errors)")
    let back = try #require(run.lines.firstIndex(of: "47.003"), "\(run.output)")
    #expect(run.lines.first == "47.001" && run.lines[..<back].contains("47.002"), "\(run.output)")
  }

  @Test func reasonOfEachSourceIsReported() async throws {
    let sources = ["--source", "nmea:/nowhere/ttyACM0", "--source", "nmea:/nowhere/ttyUSB0"]
    let now = try await CommandRun(["now"] + sources)
    #expect(now.code == 6)
    for device in ["ttyACM0", "ttyUSB0"] {
      #expect(
        now.errors.contains("  nmea:/nowhere/\(device): could not open /nowhere/\(device): "), "\(now.errors)"
      )
    }
    let doctor = try await CommandRun(["doctor", "--json"] + sources)
    #expect(doctor.code == 6 && doctor.output.hasPrefix(#"{"verdict":"absent","#), "\(doctor.output)")
    for device in ["ttyACM0", "ttyUSB0"] {
      #expect(
        doctor.output.contains(#"{"source":"nmea:/nowhere/\#(device)","state":"absent""#), "\(doctor.output)")
    }
  }
}
