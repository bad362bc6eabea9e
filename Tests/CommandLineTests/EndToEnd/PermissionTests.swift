import Foundation
import Testing

/// Files without read permission, tested as another user.
@Suite(.enabled(if: CommandRun.canRunUnprivileged, "the user can't be changed (setpriv)"))
struct PermissionTests {
  private func withUnreadableFile(_ body: (String) async throws -> Void) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.file("drive.nmea", [UInt8](try Data(contentsOf: URL(filePath: CommandRun.drive))))
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    try await body(path)
  }

  @Test(arguments: [
    ["now"], ["watch"], ["watch", "--significant"], ["watch", "--visits"], ["heading"], ["track"],
  ])
  func unreadableSourceIsDeniedWithRemedy(command: [String]) async throws {
    try await withUnreadableFile { path in
      let run = try await CommandRun.asUnprivilegedUser(command + ["--source", "replay:\(path)"])
      #expect(run.code == 4 && run.output.isEmpty)
      #expect(run.errors.hasPrefix("whereabouts: not permitted: access is denied. \(path) belongs to "))
      #expect(run.errors.contains("with mode 0000."))
    }
  }

  @Test func jsonReportsDeniedPermission() async throws {
    try await withUnreadableFile { path in
      let run = try await CommandRun.asUnprivilegedUser(["now", "--json", "--source", "replay:\(path)"])
      #expect(run.code == 4)
      #expect(
        run.output.hasPrefix(
          #"{"outcome":"unauthorized","authorization":"denied","remedy":"\#(path) belongs to "#))
    }
  }

  @Test(arguments: [["convert"], ["replay"]])
  func fileCommandsUseSameExitCode(command: [String]) async throws {
    try await withUnreadableFile { path in
      let run = try await CommandRun.asUnprivilegedUser(command + [path])
      #expect(run.code == 4 && run.output.isEmpty)
      #expect(
        run.errors.hasPrefix("whereabouts: could not read \(path): permission denied. \(path) belongs to "))
    }
  }
}
