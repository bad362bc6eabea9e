import Foundation
import Testing

/// Runs of the command with NMEA 0183 peers, each with a fault, and with files that are not receivers.
@Suite struct HostileReceiverTests {
  static let invalidPaths: [(String, String)] = [
    ("/dev/null", "no device that sends bytes"), ("/dev/zero", "no device that sends bytes"),
    ("/tmp", "it is a folder"),
  ]

  @Test(arguments: invalidPaths.indices) func unusablePathEndsAtOnce(index: Int) async throws {
    let (path, reason) = Self.invalidPaths[index]
    let run = try await LiveCommand(["now", "--source", "nmea:\(path)", "--timeout", "1h"])
    #expect(run.code == 1)
    #expect(run.errors.contains("could not open \(path): ") && run.errors.contains(reason), "\(run.errors)")
    #expect(run.errors.contains("Name a receiver's device"), "\(run.errors)")
    let watch = try await LiveCommand(["watch", "--no-store", "--source", "nmea:\(path)"])
    #expect(watch.code == 1 && watch.errors.contains(reason), "\(watch.errors)")
    let doctor = try await LiveCommand(["doctor", "--source", "nmea:\(path)"])
    #expect(doctor.code == 1 && doctor.output.contains("can't be used"), "\(doctor.output)")
  }

  @Test func openFileLimitIsReportedClearly() async throws {
    let run = try await LiveCommand(
      shell: "(ulimit -n 8; whereabouts now --source nmea:tcp://127.0.0.1:1 --timeout 1s < /dev/null)")
    #expect(run.code == 1)
    #expect(run.errors.contains("its limit is 8") && run.errors.contains("ulimit -n"), "\(run.errors)")
    let enough = try await LiveCommand.repeated {
      try await LiveCommand(
        shell: "(ulimit -n 40; whereabouts now --source nmea:tcp://127.0.0.1:1 --timeout 2s < /dev/null)")
    } until: {
      $0.errors.contains("connection refused")
    }
    #expect(enough.code == 3 && enough.errors.contains("connection refused"), "\(enough.errors)")
  }

  @Test func sentencesWithoutPositionAreReported() async throws {
    let peer = try await HostilePeer(.sendsTimesOnly)
    let run = try await LiveCommand.repeated {
      try await LiveCommand(["doctor", "--source", peer.nmea, "--wait", "30s"])
    } until: {
      $0.code == 3
    }
    #expect(run.code == 3)
    #expect(run.output.contains("sends sentences, but none with a position"), "\(run.output)")
    await peer.stop()
  }

  @Test func gpsdAtAnNMEAAddressIsRecognised() async throws {
    let peer = try await HostilePeer(.hasNoFix)
    let run = try await LiveCommand.repeated {
      try await LiveCommand(["doctor", "--source", peer.nmea])
    } until: {
      $0.output.contains("that is gpsd")
    }
    #expect(
      run.output.contains("that is gpsd") && run.output.contains("Use gpsd as the source."), "\(run.output)")
    await peer.stop()
  }

  @Test func repeatedInstantIsReportedWithACause() async throws {
    let peer = try await HostilePeer(.sendsOneInstant)
    let run = try await LiveCommand.repeated {
      try await LiveCommand(["watch", "--no-store", "--source", peer.nmea, "--duration", "15s"])
    } until: {
      $0.errors.contains("repeats one instant. Its clock stands still")
    }
    #expect(run.code == 0)
    #expect(run.errors.contains("repeats one instant. Its clock stands still"), "\(run.errors)")
    await peer.stop()
  }

  static let reasons: [(HostilePeer.Fault, String)] = [
    (.sendsTLS, "bytes come that are no NMEA 0183"), (.sendsNothing, "nothing comes"),
    (.sendsTimesOnly, "none with a position"),
  ]

  @Test func timeoutReportsTheReasonForNoFix() async throws {
    _ = try await HostilePeer.expectReasons(Self.reasons, timeout: "10s") { $0.nmea }
  }

  @Test func unknownHostIsNamed() async throws {
    let host = ["now", "--source", "nmea:tcp://no-such-host.invalid:10110", "--timeout"]
    var run = try await LiveCommand(host + ["5s"])
    // A server of names may answer late.
    if !run.errors.contains("Check the name of the host") { run = try await LiveCommand(host + ["240s"]) }
    #expect(run.code == 3)
    #expect(run.errors.contains("no-such-host.invalid:10110: "), "\(run.errors)")
    #expect(run.errors.contains(". Check the name of the host"), "\(run.errors)")
  }

  @Test func serverThatDoesNotListenHasARemedy() async throws {
    let run = try await LiveCommand(["doctor", "--source", "nmea:tcp://127.0.0.1:1"])
    #expect(run.code == 6 && run.output.contains("connection refused"), "\(run.output)")
    #expect(run.output.contains("\nNext: Start the program that sends NMEA 0183 there"), "\(run.output)")
  }

  @Test func missingAndBusyReceiversHaveTheirOwnExitCodes() async throws {
    let absent = try await LiveCommand(["now", "--source", "nmea:/dev/ttyNone0"])
    #expect(absent.code == 6, "\(absent.errors)")
    let line = try PseudoTerminal()
    let run = try await LiveCommand.repeated {
      try await LiveCommand(
        shell: """
          "$WHEREABOUTS" watch --no-store --source nmea:\(line.device) < /dev/null &
          watching=$!
          until grep -q "$(readlink -f '\(line.device)')" <(ls -l /proc/$watching/fd) || ! kill -0 $watching
          do sleep 0.1; done
          sleep 1
          whereabouts doctor --source nmea:\(line.device)
          echo "doctor $?" >&2
          whereabouts now --source nmea:\(line.device) < /dev/null
          echo "now $?" >&2
          kill -INT $watching
          wait $watching
          """)
    } until: {
      $0.errors.contains("doctor 7\n") && $0.errors.contains("now 7\n")
    }
    #expect(run.errors.contains("doctor 7\n") && run.errors.contains("now 7\n"), "\(run.errors)")
    #expect(run.output.contains("whereabouts (process "), "\(run.output)")
    #expect(run.output.contains("It is used already"), "\(run.output)")
  }

  @Test func silentReceiverHasItsOwnExitCode() async throws {
    let peer = try await HostilePeer(.sendsNothing)
    let run = try await LiveCommand.repeated {
      try await LiveCommand(["doctor", "--source", peer.nmea, "--wait", "6s"])
    } until: {
      $0.code == 5
    }
    #expect(run.code == 5, "\(run.output)")
    await peer.stop()
  }

  /// The first sentences of a receiver have no date, and the system's clock has another one than the receiver.
  @Test func lateDateIsNoGapOfATrack() async throws {
    let folder = try TemporaryFolder()
    let bytes = (10..<60).flatMap { second -> [UInt8] in
      let place = "4700.\(second)000,N,00833.91522,E"
      let gga = ReceiverSamples.sentence("GPGGA,1200\(second).00,\(place),1,08,1.01,499.6,M,48.0,M,,")
      let rmc = ReceiverSamples.sentence("GPRMC,1200\(second).00,A,\(place),36.0,0.0,010660,,,A")
      return second < 35 ? gga : gga + rmc
    }
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/sentences"))
    let run = try await LiveCommand(
      shell: "cat '\(folder.path)/sentences' | whereabouts track --no-store --source nmea:-")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.output.contains("Distance") && !run.output.contains("interrupted"), "\(run.output)")
  }

  @Test func sentencesOnStandardInputAreReadToTheEnd() async throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<20).flatMap { ReceiverSamples.instant($0) }
    try Data(bytes).write(to: URL(filePath: "\(folder.path)/sentences"))
    let run = try await LiveCommand(
      shell: "cat '\(folder.path)/sentences' | whereabouts watch --no-store --source nmea:- --format '{time}'"
    )
    #expect(run.code == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 20 && lines.first?.hasPrefix("2026-06-01T12:00:00") == true, "\(run.output)")
    let now = try await LiveCommand(
      shell: "cat '\(folder.path)/sentences' | whereabouts now --source nmea:- --format '{lat:1}'")
    #expect(now.code == 0 && now.output == "47.0\n", "\(now.output)\(now.errors)")
    let nothing = try await LiveCommand(shell: "whereabouts watch --no-store --source nmea:- < /dev/null")
    #expect(nothing.code == 1, "\(nothing.errors)")
  }
}
