import Foundation
import Testing
import Whereabouts
import WhereaboutsSources

/// Runs of the command with gpsd peers, each with a fault.
@Suite struct HostileGPSDTests {
  private func runNow(_ peer: HostilePeer, _ arguments: String...) async throws -> LiveCommand {
    try await LiveCommand(["now", "--source", peer.gpsd] + arguments)
  }

  @Test(arguments: [HostilePeer.Fault.closesAtOnce, .greetsAndCloses, .greetsAndResets])
  func nowEndsWhenGPSDClosesEachConnection(fault: HostilePeer.Fault) async throws {
    let peer = try await HostilePeer(fault)
    let run = try await runNow(peer)
    #expect(run.code == 6 || Self.closedLate(run.errors), "\(run.errors)")
    // A reset may arrive before the greeting was read: then there was no connection.
    #expect(
      ["keep a connection to gpsd", "reach gpsd"].contains {
        run.errors.contains("could not \($0) at 127.0.0.1:\(peer.port): ")
      } || Self.closedLate(run.errors), "\(run.errors)")
    // The command ends as soon as the fault is known; the delay depends on the machine.
    let doctor = try await LiveCommand(["doctor", "--source", peer.gpsd, "--wait", "60s"])
    #expect(doctor.code == 6 || Self.closedLate(doctor.output), "\(doctor.output)")
    #expect(!doctor.output.contains("Listen for longer"), "\(doctor.output)")
    await peer.stop()
  }

  /// Whether silence was reported, because the peer on a busy machine closes its connection seconds late.
  private static func closedLate(_ text: String) -> Bool { text.contains("accepted, and nothing comes") }

  static let reasons: [(HostilePeer.Fault, String)] = [
    (.sendsNothing, "accepted, and nothing comes"), (.answersInHTML, "it is not gpsd"),
    (.hasNoReceiver, " has none"),
    (.hasNoFix, " has none yet"), (.hasSilentReceiver, "sends nothing"),
    (.reportsAndCloses, "gpsd closes it after its greeting"),
  ]

  @Test func timeoutReportsTheReasonForNoFix() async throws {
    let outputs = try await HostilePeer.expectReasons(Self.reasons, timeout: "20s") { $0.gpsd }
    for output in outputs {
      #expect(output.contains(#""sources":[{"source":"gpsd://127.0.0.1:"#), "\(output)")
    }
  }

  @Test(arguments: [
    (HostilePeer.Fault.sendsNothing, "accepted, and nothing comes"), (.hasSilentReceiver, "sends nothing"),
  ]) func doctorWaitsForTheReasonOfSilence(fault: HostilePeer.Fault, reason: String) async throws {
    let peer = try await HostilePeer(fault)
    let run = try await LiveCommand.repeated {
      try await LiveCommand(["doctor", "--source", peer.gpsd])
    } until: {
      $0.code == 5 && $0.output.contains(reason)
    }
    #expect(run.code == 5 && run.output.contains(reason), "\(run.output)")
    #expect(!run.output.contains("Listen for longer"), "\(run.output)")
    await peer.stop()
  }

  @Test func reasonIsReportedWhileWaitingWithoutATimeout() async throws {
    let peer = try await HostilePeer(.hasNoFix)
    let folder = try TemporaryFolder()
    let run = try await LiveCommand(
      shell: """
        "$WHEREABOUTS" now --source \(peer.gpsd) 2> '\(folder.path)/errors' < /dev/null &
        process=$!
        until grep -q ' has none yet.* Waiting[.]' '\(folder.path)/errors' || ! kill -0 $process; do sleep 0.1; done
        kill -INT $process
        wait $process
        """)
    let text = try String(contentsOfFile: "\(folder.path)/errors", encoding: .utf8)
    #expect(run.code == 130 && text.contains(". Waiting.\n"), "\(text)")
    await peer.stop()
  }

  @Test func silentReceiverIsReportedOnceWithARemedy() async throws {
    let peer = try await HostilePeer(.fallsSilent)
    let run = try await LiveCommand.repeated {
      try await LiveCommand(["watch", "--no-store", "--source", peer.gpsd, "--duration", "30s"])
    } until: {
      $0.errors.contains("could not hear from")
    }
    #expect(run.code == 0)
    let reasons = run.errors.split(separator: "\n").filter { $0.contains("could not hear from") }
    #expect(
      (1...2).contains(reasons.count) && reasons.allSatisfy { $0.contains("Check its cable") }, "\(reasons)")
    await peer.stop()
  }

  @Test func weekRolloverOfAReceiverIsCorrected() async throws {
    let peer = try await HostilePeer(.isWeeksBehind)
    let run = try await LiveCommand.repeated {
      try await LiveCommand(["doctor", "--source", peer.gpsd])
    } until: {
      $0.code == 0 && $0.output.contains("; the time agrees with the receiver's")
    }
    #expect(run.code == 0)
    #expect(run.output.contains("; the time agrees with the receiver's"), "\(run.output)")
    await peer.stop()
  }

  @Test func impossibleSpeedIsNotPrinted() async throws {
    let peer = try await HostilePeer(.hasAbsurdSpeed)
    let run = try await LiveCommand.repeated {
      try await runNow(peer, "--json")
    } until: {
      $0.code == 0
    }
    #expect(run.code == 0)
    #expect(run.output.contains(#""latitude":47.5"#) || run.output.contains("47.5"), "\(run.output)")
    #expect(!run.output.contains("e+3") && !run.output.contains("308") && !run.output.contains("speed"))
    await peer.stop()
  }

  @Test func floodUsesBoundedMemory() async throws {
    let peer = try await HostilePeer(.floods)
    var (peak, errors) = try await Self.flood(peer, stall: 3)
    // A slow machine needs longer to see the memory and the flood.
    for stall in [3, 12, 48, 192] where peak == 0 || !errors.contains(" dropped: too many arrived at once") {
      (peak, errors) = try await Self.flood(peer, stall: stall)
    }
    #expect(peak > 0 && peak < 60_000, "\(peak) kB")
    #expect(errors.contains(" dropped: too many arrived at once"), "\(errors.prefix(500))")
    await peer.stop()
  }

  /// Runs the command while its reader stalls for a number of seconds, and five seconds longer.
  ///
  /// - Returns: the peak memory in kilobytes, and the messages.
  private static func flood(_ peer: HostilePeer, stall: Int) async throws -> (peak: Int, errors: String) {
    let folder = try TemporaryFolder()
    let command =
      "exec '\(LiveCommand.binary.path())' watch --no-store --source \(peer.gpsd) --duration \(stall + 5)s "
      // Updates beyond the buffer are dropped and counted.
      + "> >(head -c 1 > /dev/null; sleep \(stall); cat > /dev/null) 2> '\(folder.path)/errors'"
    let process = try LiveProcess("/bin/bash", ["-c", command])
    let ended = Task { await process.end() }
    var peak = 0
    while let now = peakMemory(of: process.identifier) {
      peak = max(peak, now)
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(await ended.value == 0)
    return (peak, try String(contentsOfFile: "\(folder.path)/errors", encoding: .utf8))
  }

  /// Returns the peak memory in kilobytes; `nil` if the process has ended.
  private static func peakMemory(of process: Int32) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
    else { return nil }
    return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
  }

  @Test func stalledReaderBlocksNeitherDurationNorInterrupt() async throws {
    let peer = try await HostilePeer(.floods)
    let folder = try TemporaryFolder()
    let run = try await LiveCommand(
      shell: """
        mkfifo '\(folder.path)/pipe'
        sleep 1000 < '\(folder.path)/pipe' &
        sleeper=$!
        whereabouts watch --no-store --source \(peer.gpsd) --duration 2s > '\(folder.path)/pipe' < /dev/null
        echo "duration $?" >&2
        "$WHEREABOUTS" watch --no-store --source \(peer.gpsd) > '\(folder.path)/pipe' < /dev/null &
        process=$!
        # Until it handles the signal; then its output stands still.
        until grep -q '^SigCgt:.*[2367abef]$' /proc/$process/status || ! kill -0 $process; do sleep 0.1; done
        sleep 2
        kill -INT $process
        wait $process
        echo "interrupt $?" >&2
        # Signals that can be ignored may be, by what a test run hands down.
        kill -KILL $sleeper
        """)
    #expect(run.errors.contains("duration 0\n"), "\(run.errors)")
    #expect(run.errors.contains("interrupt 0\n"), "\(run.errors)")
    await peer.stop()
  }
}
