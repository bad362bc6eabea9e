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

  @Test func outputInAFolderWithoutPermissionIsDenied() async throws {
    let folder = try TemporaryFolder()
    let input = try folder.file("walk.csv", Array("time,lat,lon\n2024-06-01T12:00:00Z,47,8\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: input)
    let closed = folder.path("closed")
    try FileManager.default.createDirectory(
      atPath: closed, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o555])
    for command in [
      ["convert", input, "\(closed)/walk.gpx"],
      ["track", "--source", "replay:\(input)?speed=max", "--save", "\(closed)/walk.gpx"],
      ["now", "--source", "replay:\(input)?speed=max", "--journal", "\(closed)/run.journal"],
    ] {
      let run = try await CommandRun.asUnprivilegedUser(command)
      #expect(run.code == 4 && run.errors.contains("could not write"), "\(command): \(run.errors)")
    }
  }

  /// The recordings of the other folders are imported.
  @Test func folderWithinAFolderWithoutPermissionIsDenied() async throws {
    let folder = try TemporaryFolder()
    let root = folder.path("recordings")
    for (name, mode) in [("open", 0o755), ("closed", 0o000)] {
      let child = URL(filePath: root).appending(path: name)
      try FileManager.default.createDirectory(at: child, withIntermediateDirectories: true)
      try Data("time,lat,lon\n2024-06-01T12:00:00Z,47,8\n".utf8).write(to: child.appending(path: "walk.csv"))
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: child.path())
    }
    let run = try await CommandRun.asUnprivilegedUser(
      ["import", "--dry-run", "--store", folder.path("none.sqlite"), root])
    // So that the folder can be removed.
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(root)/closed")
    #expect(run.code == 4 && run.output.hasPrefix("this: 1 kept"), "\(run.output)")
    #expect(run.errors.contains("could not read \(root)/closed: permission denied."), "\(run.errors)")
  }

  /// The recording is no cause of the failure, so no line is about it.
  @Test func importIntoAFolderWithoutPermissionNamesTheStoreAlone() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("walk.csv", Array("time,lat,lon\n2024-06-01T12:00:00Z,47,8\n".utf8))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
    let closed = folder.path("closed")
    try FileManager.default.createDirectory(
      atPath: closed, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o555])
    let run = try await CommandRun.asUnprivilegedUser(["import", "--store", "\(closed)/store.sqlite", file])
    #expect(run.code == 4 && run.output.isEmpty, "\(run)")
    #expect(run.errors.hasPrefix("whereabouts: could not open \(closed)/store.sqlite: "), "\(run.errors)")
    #expect(run.errors.split(separator: "\n").count == 1, "\(run.errors)")
  }

  /// Whether only a user with a permission may listen at port 1.
  private static let hasRefusedPorts =
    (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_unprivileged_port_start", encoding: .utf8))
    .flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }.map { $0 > 1 } ?? false

  @Test(.enabled(if: hasRefusedPorts, "every user may listen at every port"), arguments: listeningCommands)
  func refusedPortIsDeniedWithRemedy(command: [String], code: Int32) async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path(""))
    let store = command[0] == "serve" ? ["--store", folder.path("store.sqlite")] : []
    let run = try await CommandRun.asUnprivilegedUser(command + store)
    #expect(run.code == code && run.output.isEmpty)
    #expect(run.errors.hasPrefix("whereabouts: could not listen at 127.0.0.1:1: permission denied. "))
    #expect(run.errors.contains("CAP_NET_BIND_SERVICE"), "\(run.errors)")
  }

  private static var listeningCommands: [([String], Int32)] {
    let relay: ([String], Int32) = (["relay", "--nmea", "127.0.0.1:1"], 4)
    #if Server
      // For a service manager, a mistake in the configuration.
      return [relay, (["serve", "--listen", "127.0.0.1:1"], 2)]
    #else
      return [relay]
    #endif
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
