import Foundation
import Testing
import WhereaboutsTesting

@Suite struct ConvertTests {
  @Test func nmeaIsConvertedToJSONLines() async throws {
    let run = try await CommandRun(["convert", CommandRun.drive])
    #expect(run.code == 0)
    #expect(run.lines.count > 600)
    #expect(run.lines.allSatisfy { $0.hasPrefix("{\"time\":\"2024-05-14T08:") && $0.hasSuffix("}") })
    #expect(run.errors.hasPrefix("\(CommandRun.drive): 5 problems, passed over\n"))
  }

  @Test func standardInputAndPathGiveSameOutput() async throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: CommandRun.drive)))
    let fromPath = try await CommandRun(["convert", CommandRun.drive])
    let fromInput = try await CommandRun(["convert", "-"], input: bytes)
    #expect(fromInput.output == fromPath.output && fromInput.code == 0)
  }

  @Test func timeRangeLeavesOutOtherFixes() async throws {
    let minute = ["--since", "2024-05-14T08:20:00Z", "--until", "2024-05-14T08:21:00Z"]
    let all = try await CommandRun(["convert", CommandRun.drive])
    let run = try await CommandRun(["convert", CommandRun.drive] + minute)
    #expect(run.code == 0 && !run.lines.isEmpty)
    #expect(run.lines == all.lines.filter { $0.hasPrefix("{\"time\":\"2024-05-14T08:20:") })
    let folder = try TemporaryFolder()
    let none = try await CommandRun(["convert", CommandRun.drive, folder.path("none.gpx"), "--today"])
    #expect(none.code == 1 && none.errors.contains("no fix in this time range"), "\(none.errors)")
    #expect(try folder.names.isEmpty)
  }

  @Test func timeRangeLeavesOutOtherTracks() async throws {
    func track(_ name: String, _ days: [String]) -> String {
      let segments = days.map {
        #"<trkseg><trkpt lat="51" lon="0"><time>2024-05-\#($0)T08:00:00Z</time></trkpt></trkseg>"#
      }
      return "<trk><name>\(name)</name>\(segments.joined())</trk>"
    }
    let folder = try TemporaryFolder()
    let text =
      #"<gpx version="1.1" creator="x" xmlns="http://www.topografix.com/GPX/1/1">"#
      + track("a", ["10"]) + track("b", ["11", "14", "16"]) + track("c", ["17"]) + "</gpx>"
    let file = try folder.file("a.gpx", Array(text.utf8))
    let run = try await CommandRun(
      ["convert", "--to", "gpx", file, "--since", "2024-05-14", "--until", "2024-05-15"])
    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output.components(separatedBy: "<trk>").count == 2 && run.output.contains("<name>b</name>"))
    #expect(run.output.components(separatedBy: "<trkseg>").count == 2 && run.output.contains("2024-05-14T08"))
  }

  @Test func strictFailsOnProblems() async throws {
    let run = try await CommandRun(["convert", "--strict", CommandRun.drive])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.contains("could not write standard output: --strict rejects an input with problems\n"))
    let whole = try await CommandRun(["convert", "--strict", CommandRun.walk])
    let plain = try await CommandRun(["convert", CommandRun.walk])
    #expect(whole.code == 0 && whole.output == plain.output && !plain.output.isEmpty)
  }

  @Test func strictOutputNeedsATemporaryFolder() async throws {
    let run = try await CommandRun(shell: "TMPDIR=/nowhere whereabouts convert --strict '\(CommandRun.walk)'")
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("whereabouts: could not buffer the output in /nowhere: no such file"))
  }

  @Test func aMissingFileIsAFailure() async throws {
    let run = try await CommandRun(["convert", "/nowhere/at-all.nmea"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(
      run.errors == "whereabouts: could not read /nowhere/at-all.nmea: no such file or directory\n")
  }

  @Test func aFolderIsAFailure() async throws {
    let run = try await CommandRun(["convert", "/"])
    #expect(run.code == 1)
    #expect(run.errors == "whereabouts: could not read /: is a directory. Pass the path of a file.\n")
  }

  @Test func anEmptyFileIsAFailure() async throws {
    let run = try await CommandRun(["convert", "-"])
    #expect(run.code == 1 && run.output.isEmpty)
    #expect(run.errors == "whereabouts: could not read standard input: it is empty\n")
  }

  @Test(arguments: 1...8) func garbageFailsWithReason(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let run = try await CommandRun(["convert", "-"], input: bytes)
    #expect(run.code == 1 && run.output.isEmpty, "seed \(seed)")
    #expect(run.errors.contains("could not read standard input"), "seed \(seed): \(run.errors)")
  }

  @Test(arguments: ["nmea", "gpx", "csv", "jsonl"]) func garbageWithRecordingExtensionFails(
    format: String
  ) async throws {
    let run = try await CommandRun(
      ["convert", "--from", format, "-"], input: [0, 255, 3, 10, 36, 60, 0, 200, 10])
    #expect(run.code == 1 && run.output.isEmpty)
  }

  @Test func unknownFormatIsUsageError() async throws {
    let run = try await CommandRun(["convert", "--to", "shapefile", CommandRun.drive])
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.contains("'shapefile' is invalid for '--to <format>'"))
  }

  @Test func unknownExtensionIsUsageError() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(["convert", CommandRun.drive, folder.path("drive.shp")])
    #expect(run.code == 2)
    #expect(try folder.names == [])
  }

  @Test func missingArgumentIsUsageError() async throws {
    #expect(try await CommandRun(["convert"]).code == 2)
    #expect(try await CommandRun(["convert", "--nonsense"]).code == 2)
    #expect(try await CommandRun(["nonsense"]).code == 2)
  }

  /// The reader of a pipe gets each part at once.
  @Test(arguments: ["gpx", "csv"]) func pipeIsConvertedWhileItGrows(format: String) async throws {
    let folder = try TemporaryFolder()
    let fixes = (0..<100).map { index in
      let time = "2024-05-14T08:0\(index / 60):\(index % 60 < 10 ? "0" : "")\(index % 60)Z"
      return #"{"time":"\#(time)","lat":51,"lon":0}"# + "\n"
    }
    let file = try folder.file("fixes.jsonl", Array(fixes.joined().utf8))
    let (seen, late) = (folder.path("seen"), folder.path("late"))
    let run = try await CommandRun(
      shell: """
        wait_for_reader() {
          for i in $(seq 3000); do test -e '\(seen)' && return; sleep 0.1; done
          touch '\(late)'
        }
        (cat '\(file)'; wait_for_reader) | whereabouts convert --to \(format) - |
          (grep -m 1 'T08:00:59'; touch '\(seen)'; cat > '\(folder.path("rest"))')
        """)
    #expect(run.output.contains("T08:00:59"), "\(run.output)\(run.errors)")
    #expect(try !folder.names.contains("late"))
  }

  @Test func closedPipeEndsCommandQuietly() async throws {
    let run = try await CommandRun(
      shell:
        "for i in 1 2 3 4 5 6 7 8; do cat '\(CommandRun.drive)' 2>/dev/null; done | (whereabouts convert -; echo \"code $?\" >&2) | head -n 1"
    )
    #expect(run.lines.count == 1)
    #expect(run.errors.hasSuffix("code 0\n"))
    #expect(!run.errors.lowercased().contains("pipe"))
  }

  @Test func existingFileIsNotReplacedWithoutForce() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("out.jsonl", Array("precious\n".utf8))
    let refused = try await CommandRun(["convert", CommandRun.drive, file])
    #expect(refused.code == 1)
    #expect(
      refused.errors
        == "whereabouts: could not write \(file): the file exists. Pass --force to replace the file.\n")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious\n")

    let forced = try await CommandRun(["convert", "--force", CommandRun.drive, file])
    #expect(forced.code == 0 && forced.output.isEmpty)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{\"time\""))
    #expect(try folder.names == ["out.jsonl"])
  }

  @Test func failureLeavesNoPartialFile() async throws {
    let folder = try TemporaryFolder()
    let garbage = try folder.file("garbage", [0, 1, 2, 3])
    #expect(try await CommandRun(["convert", garbage, folder.path("out.jsonl")]).code == 1)
    #expect(try await CommandRun(["convert", "--from", "gpx", garbage, folder.path("out.jsonl")]).code == 1)
    #expect(try folder.names == ["garbage"])
  }

  @Test func terminationLeavesNoPartialFile() async throws {
    let folder = try TemporaryFolder()
    let run = try await CommandRun(
      shell: """
        mkfifo '\(folder.path("in"))'
        '\(CommandRun.binary.path())' convert --from nmea '\(folder.path("in"))' '\(folder.path("out.jsonl"))' &
        exec 3<> '\(folder.path("in"))'
        cat '\(CommandRun.drive)' >&3
        # The file is there a moment before the command handles the signal.
        has_part() {
          ls '\(folder.path(""))' | grep -q part || return 1
          [ ! -e /proc/$!/status ] || grep -q '^SigCgt:.*[4-7c-f]...$' /proc/$!/status
        }
        wait_for $! has_part
        kill -TERM $!
        wait $!
        echo "code $?"
        """)
    #expect(run.output == "code 143\n")
    #expect(try folder.names == ["in"])
  }

  @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
  func aFullDiskIsAFailure() async throws {
    let run = try await CommandRun(["convert", CommandRun.drive, "/dev/full"])
    #expect(run.code == 1)
    #expect(run.errors.contains("could not write /dev/full: no space left on device"))
  }

  @Test func omittedContentIsReported() async throws {
    let run = try await CommandRun(["convert", "--to", "csv", CommandRun.walk])
    #expect(run.code == 0 && run.lines.count == 802)
    #expect(
      run.errors == """
        \(CommandRun.walk): elements not read: 1 metadata
        \(CommandRun.walk): left out, for which CSV has no place: 4 places

        """)
  }

  @Test(arguments: ["gpx", "csv", "jsonl", "geojson"])
  func gpxIsConvertedToEveryWritableFormat(format: String) async throws {
    let folder = try TemporaryFolder()
    let copy = folder.path("copy.\(format)")
    #expect(try await CommandRun(["convert", CommandRun.walk, copy]).code == 0)
    guard format != "geojson" else { return }
    // Back again: the format is found from the content.
    let original = try await CommandRun(["convert", CommandRun.walk])
    let again = try await CommandRun(["convert", copy])
    #expect(again.code == 0 && again.lines.count == original.lines.count)
    let (time, first) = (#/"time":"([^"]*)"/#, again.lines.first)
    #expect(first?.firstMatch(of: time)?.1 == original.lines.first?.firstMatch(of: time)?.1)
  }

  @Test func theVersionAndHelpAreAnswers() async throws {
    let version = try await CommandRun(["--version"])
    #expect(version.code == 0 && version.lines.count == 1 && version.errors.isEmpty)
    let help = try await CommandRun(["convert", "--help"])
    #expect(help.code == 0 && help.output.contains("Examples:") && help.errors.isEmpty)
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreGenerated(shell: String) async throws {
    let run = try await CommandRun(["--generate-completion-script", shell])
    #expect(run.code == 0 && run.output.contains("convert"))
  }
}
