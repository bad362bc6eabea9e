import Foundation
import Testing

/// The doctor at a receiver behind a named pipe, and where there is none.
@Suite struct DoctorTests {
  private static let noFix = "$GPRMC,120000.00,V,,,,,,,010626,,,N*7D"

  @Test func deliveringReceiverIsFound() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("gps")
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        cat '\(CommandRun.drive)' 2>/dev/null > '\(pipe)' &
        whereabouts doctor --wait 10m --source 'nmea:\(pipe)'
        """)
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.hasPrefix("✓ nmea:\(pipe) delivers fixes, with height, to "), "\(run.output)")
    #expect(
      run.output.contains("\nThere are fixes from nmea:\(pipe).\nNext:"))
    #expect(run.output.contains("`whereabouts now --source nmea:\(pipe)`"))
    #expect(!run.output.contains("51.4"), "the place is not printed")
  }

  /// The prompt of the shell would follow the line of progress.
  @Test(.enabled(if: CommandRun.hasTerminals, "there is no `script` here")) func signalErasesProgress()
    async throws
  {
    let folder = try TemporaryFolder()
    let pipe = folder.path("gps")
    try #require(mkfifo(pipe, 0o600) == 0)
    let writer = open(pipe, O_RDWR)
    defer { close(writer) }
    let run = try await CommandRun.onTerminal(
      ["doctor", "--wait", "1h", "--source", "nmea:\(pipe)"], columns: 80, interruptedAfter: "listening to",
      by: "TERM")
    #expect(run.code == 143 && run.output.hasSuffix("\r\u{1B}[K"), "\(run)")
  }

  @Test func receiverWithoutFixIsFound() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("gps")
    func doctor(waiting seconds: Int) async throws -> CommandRun {
      try await CommandRun(
        shell: """
          rm -f '\(pipe)'
          mkfifo '\(pipe)'
          exec 3<> '\(pipe)'
          for i in 1 2 3 4; do printf '%s\\r\\n' '\(Self.noFix)' >&3; done
          whereabouts doctor --wait \(seconds)s --json --source 'nmea:\(pipe)'
          """)
    }
    var run = try await doctor(waiting: 4)
    // A busy machine may need longer to read the sentences.
    for seconds in [30, 240] where run.code != 3 { run = try await doctor(waiting: seconds) }
    #expect(run.code == 3, "\(run.output)")
    #expect(
      run.output.hasPrefix(#"{"verdict":"no fix","sources":[{"source":"nmea:\#(pipe)","state":"no fix""#),
      "\(run.output)")
    #expect(run.output.contains(#""code":"no-position""#))
  }

  @Test func silenceIsReportedWithTheGivenTime() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path("gps")
    let run = try await CommandRun(
      shell: """
        mkfifo '\(pipe)'
        exec 3<> '\(pipe)'
        whereabouts doctor --wait 1s --json --source 'nmea:\(pipe)'
        """)
    #expect(run.code == 5 && run.output.contains("nothing readable came in 1 s\""), "\(run.output)")
    #expect(run.output.contains("--wait 25s`"), "\(run.output)")
  }

  @Test func missingReceiverIsReported() async throws {
    let run = try await CommandRun(["doctor", "--source", "nmea:/nowhere/ttyACM0"])
    #expect(run.code == 6)
    #expect(
      run.output.hasPrefix(
        "✗ nmea:/nowhere/ttyACM0 was not found\n    could not open /nowhere/ttyACM0: there is no such device\n"
      ),
      "\(run.output)")
  }

  @Test func installationIsNoFactAboutAnotherMachine() async throws {
    let run = try await CommandRun(["doctor", "--json", "--source", "gpsd://127.0.0.2:1"])
    #expect(run.code == 6 && run.output.contains("connection refused"), "\(run.output)")
    #expect(run.output.contains(#""facts":[]"#), "\(run.output)")
  }

  @Test(.enabled(if: CommandRun.canRunUnprivileged, "the user can't be changed (setpriv)"))
  func unreadableReceiverIsReported() async throws {
    let folder = try TemporaryFolder()
    #expect(try await CommandRun(shell: "mkfifo -m 000 '\(folder.path("gps"))'").code == 0)
    for command in [["doctor"], ["now"]] {
      let run = try await CommandRun.asUnprivilegedUser(command + ["--source", "nmea:\(folder.path("gps"))"])
      #expect(run.code == 4, "\(command)")
      #expect(
        (run.output + run.errors).contains("\(folder.path("gps")) belongs to "), "\(run.output)\(run.errors)")
    }
  }

  @Test func progressNamesProbedSources() async throws {
    let run = try await CommandRun(["doctor", "--wait", "1s", "--json"])
    #expect([0, 1, 3, 4, 5, 6, 7].contains(run.code))
    for part in [#""source":"gpsd""#, #""source":"geoclue""#, #""name":"clock""#, #""name":"store""#] {
      #expect(run.output.contains(part), "\(part) in \(run.output)")
    }
    #expect(run.lines.count == 1)
  }

  @Test func recordingIsRejected() async throws {
    #expect(try await CommandRun(["doctor", "--source", "replay:\(CommandRun.drive)"]).code == 2)
  }
}
