#if Server
  import Foundation
  import Testing
  import Whereabouts
  import WhereaboutsModel
  import WhereaboutsStore

  /// `whereabouts rejected`.
  @Suite struct RejectedTests {
    @Test func rowsAreListedWithReasons() async throws {
      let folder = try TemporaryFolder(), file = folder.path("s.sqlite")
      let empty = try await CommandRun(["rejected", "--store", file])
      #expect(
        empty.code == 0 && empty.output.isEmpty && empty.errors == "no rejected rows\n", "\(empty.errors)"
      )
      let store = try SQLiteStore.open(at: file)
      func row(_ second: Int64, _ device: DeviceID?, _ bytes: String) -> RejectedRow {
        RejectedRow(
          device: device, arrival: UTCTime(nanosecondsSince1970: second * 1_000_000_000),
          dialect: "owntracks",
          place: "row 1, byte 0", reason: "no number", bytes: Array(bytes.utf8))
      }
      try store.append([row(1_700_000_000, "anna", "{\u{1B}[31m\nx"), row(1_700_000_060, nil, "{")])
      store.close()
      let all = try await CommandRun(["rejected", "--store", file])
      #expect(
        all.lines == [
          "2023-11-14 22:13:20  anna  owntracks  row 1, byte 0: no number  {\u{FFFD}[31m\u{FFFD}x",
          "2023-11-14 22:14:20  unknown device  owntracks  row 1, byte 0: no number  {",
        ] || all.lines.count == 2 && !all.output.contains("\u{1B}"), "\(all.output)")
      let one = try await CommandRun(["rejected", "--store", file, "--device", "anna", "--json"])
      #expect(
        one.lines.count == 1 && one.output.contains(#""device":"anna","dialect":"owntracks""#),
        "\(one.output)")
      #expect(try await CommandRun(["rejected", "--store", file, "--last", "1"]).lines.count == 1)
      #expect(try await CommandRun(["rejected", "--last", "0"]).code == 2)
      let other = try await CommandRun(["serve", "rejected", "--store", file, "--last", "1"])
      #expect(other.lines.count == 1, "\(other.errors)")
      // The options are those of `rejected`: `serve` has no --device.
      let mistake = try await CommandRun(["serve", "rejected", "--device", "anna", "--last", "x"])
      #expect(mistake.code == 2 && !mistake.errors.contains("Unknown option"), "\(mistake.errors)")
    }

    @Test func bytesThatAreNoTextAreBase64() async throws {
      let folder = try TemporaryFolder(), file = folder.path("s.sqlite")
      let store = try SQLiteStore.open(at: file)
      try store.append([
        RejectedRow(
          device: "anna", arrival: UTCTime(nanosecondsSince1970: 0), dialect: "owntracks",
          place: "row 1, byte 0", reason: "it is encrypted", bytes: [0xC3, 0x00, 0xFF])
      ])
      store.close()
      let run = try await CommandRun(["rejected", "--store", file, "--json"])
      #expect(run.output.contains(#""base64":"wwD/"}"#), "\(run.output)")
    }
  }
#endif
