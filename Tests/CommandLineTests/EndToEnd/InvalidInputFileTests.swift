import Foundation
import Testing

/// For any file given as a recording, every requesting or watching command reports the problem and ends.
@Suite struct InvalidInputFileTests {
  static let commands = [
    ["now"], ["watch"], ["watch", "--visits"], ["watch", "--significant"], ["heading"],
  ]

  @Test(arguments: commands) func anEmptyFileIsAFailure(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let empty = try folder.file("empty", [])
    for path in [empty, "/dev/null"] {
      let run = try await CommandRun(command + ["--source", "replay:\(path)?speed=max"])
      #expect(run.code == 1 && run.output.isEmpty)
      #expect(run.errors.hasPrefix("whereabouts: could not read \(path): it is empty"), "\(run.errors)")
    }
  }

  @Test(arguments: commands) func aFolderIsAFailure(command: [String]) async throws {
    let run = try await CommandRun(command + ["--source", "replay:/?speed=max"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("whereabouts: could not read /: is a directory"))
  }

  /// Its clients would wait for positions.
  @Test func relayOfAMissingRecordingIsAFailure() async throws {
    let run = try await CommandRun(["relay", "--source", "replay:/no/such.nmea", "--nmea", "0"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: could not read /no/such.nmea: no such file or directory\n")
  }

  /// As of a variable of the shell that is not set.
  @Test func anEmptyNameIsQuoted() async throws {
    let run = try await CommandRun(["convert", ""])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: could not read '': no such file or directory\n")
  }

  @Test(arguments: commands) func nonRecordingFileFails(command: [String]) async throws {
    let run = try await CommandRun(command + ["--source", "replay:-"], input: Array("hello, world\n".utf8))
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.contains("could not read standard input: it is none of nmea, gpx, csv, jsonl"))
  }

  @Test(arguments: [["now"], ["watch"], ["heading", "--filter", "0"]])
  func aClosedStandardOutputIsAFailure(command: [String]) async throws {
    let line =
      "whereabouts \(command.joined(separator: " ")) --source 'replay:\(CommandRun.sail)?speed=max' >&-"
    let run = try await CommandRun(shell: line)
    #expect(run.code == 1)
    #expect(run.errors == "whereabouts: could not write standard output: bad file descriptor\n")
  }

  @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
  func aFullDiskIsAFailure() async throws {
    let run = try await CommandRun(
      shell: "whereabouts watch --source 'replay:\(CommandRun.drive)?speed=max' > /dev/full")
    #expect(run.code == 1 && run.errors.contains("could not write standard output: no space left on device"))
  }

  @Test(arguments: [["now"], ["watch"], ["heading"], ["replay"], ["convert"], []])
  func helpHasExamplesAndExitCodes(command: [String]) async throws {
    let help = try await CommandRun(command + ["--help"])
    #expect(help.code == 0 && help.errors.isEmpty)
    // It is wrapped to the width of a terminal.
    let text = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("Exit codes: 0 ") && text.contains(" 4 permission "))
    #expect(command.isEmpty || text.contains("Examples:"))
    #expect(!text.contains("--distance "), "hidden")
  }
}
