import Foundation
import Testing
import Whereabouts
import WhereaboutsFormats
import WhereaboutsTesting

@testable import WhereaboutsSources

@Suite struct AccessRemedyTests {
  private static let alice = FileAccess.Reader(
    id: 1000, name: "alice", groups: [1000, 4], listedGroups: [1000, 4, 27])

  private static func access(
    _ path: String, _ mode: UInt32, isFolder: Bool = false, owner: UInt32 = 0,
    group: (UInt32, String?) = (0, "root"),
    reader: FileAccess.Reader = alice
  ) -> FileAccess {
    FileAccess(
      path: path, mode: mode, isFolder: isFolder, owner: .init(id: owner, name: owner == 0 ? "root" : "bob"),
      group: .init(id: group.0, name: group.1), reader: reader)
  }

  static let cases: [(FileAccess, String)] = [
    (
      access("/dev/ttyACM0", 0o660, group: (20, "dialout")),
      "/dev/ttyACM0 belongs to the group dialout. Run `sudo usermod -aG dialout alice`, then log in again."
    ),
    (
      access(
        "/dev/ttyACM0", 0o660, group: (20, "dialout"),
        reader: .init(id: 1234, name: nil, groups: [], listedGroups: [])),
      "/dev/ttyACM0 belongs to the group dialout. Run `sudo usermod -aG dialout YOUR-NAME`, then log in again."
    ),
    (
      access("/dev/ttyACM0", 0o660, group: (27, "plugdev")),
      "/dev/ttyACM0 belongs to the group plugdev, which you are in, but were not when you logged in. "
        + "Log in again, or run `newgrp plugdev` in this terminal."
    ),
    // The remedy names neither the group of root nor a group without a name.
    (
      access("/dev/gps0", 0o660),
      "/dev/gps0 belongs to root and the group root, with mode 0660. Ask root for leave to read it."
    ),
    (
      access("/dev/gps0", 0o660, group: (986, nil)),
      "/dev/gps0 belongs to root and the group number 986, with mode 0660. Ask root for leave to read it."
    ),
    (
      access("/home/bob/walk.gpx", 0o600, owner: 1001, group: (1001, "bob")),
      "/home/bob/walk.gpx belongs to bob and the group bob, with mode 0600. Ask bob for leave to read it."
    ),
    (
      access("/home/alice/my walk's.gpx", 0, owner: 1000, group: (1000, "alice")),
      "/home/alice/my walk's.gpx belongs to bob and the group alice, with mode 0000. "
        + #"Run `chmod u+r '/home/alice/my walk'\''s.gpx'`."#
    ),
    // The owner's bits count for the owner, regardless of the other bits.
    (
      access("/srv/a.gpx", 0o044, owner: 1000, group: (4, "adm")),
      "/srv/a.gpx belongs to bob and the group adm, with mode 0044. Run `chmod u+r /srv/a.gpx`."
    ),
    (
      access("/srv/a.gpx", 0o604, group: (4, "adm")),
      "/srv/a.gpx belongs to root and the group adm, with mode 0604. Ask root for leave to read it."
    ),
    (
      access("/srv/a.gpx", 0o644),
      "/srv/a.gpx belongs to root and the group root, with mode 0644. That would allow it: something else does not, "
        + "such as an access list, a security policy or a sandbox."
    ),
    (
      access("/root", 0o700, isFolder: true),
      "The folder /root belongs to root and the group root, with mode 0700. Ask root for leave to read it."
    ),
    (
      access("/home/alice/x", 0o600, isFolder: true, owner: 1000),
      "The folder /home/alice/x belongs to bob and the group root, with mode 0600. Run `chmod u+x /home/alice/x`."
    ),
  ]

  @Test(arguments: cases.indices) func remedyMatchesTheDeniedAccess(index: Int) {
    let (access, text) = Self.cases[index]
    #expect(AccessRemedy(access).text == text)
  }

  @Test func ownProcessAndFileAccessAreRead() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)")
    try Data("x".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: url.path)
    let access = try #require(FileAccess(blocking: url.path))
    #expect(access.path == url.path && access.mode == 0o640 && !access.isFolder)
    #expect(access.owner.id == access.reader.id && access.owner.name == access.reader.name)
    #expect(access.reader.groups.contains(access.group.id))
    #expect(FileAccess(blocking: "/nowhere/at/all") == nil)
  }
}

@Suite struct RefusedRecordingTests {
  /// A recording that may be read from the second time on.
  private final class FailOnceRecording: @unchecked Sendable {
    private let lock = NSLock()
    private var tries = 0
    func open() throws -> any RecordingFeed {
      lock.withLock { tries += 1 }
      guard lock.withLock({ tries }) > 1 else {
        throw SourceProblem(.notPermitted, message: "read a.gpx: permission denied", remedy: "Ask bob.")
      }
      return InMemoryRecording([.fix(.test(latitude: 1, longitude: 2, accuracy: 3, time: nil))])
    }
  }

  private let denied = Authorization(.denied, noticesChanges: false, remedy: "Ask bob.")

  @Test func unreadableRecordingIsDeniedNotFailed() async {
    let source = ReplaySource(speed: .asFastAsPossible) {
      throw SourceProblem(.notPermitted, message: "read a.gpx: permission denied", remedy: "Ask bob.")
    }
    let manager = LocationManager(source: source)
    #expect(await manager.request(.house, timeout: nil).outcome == .unauthorized(denied))
    #expect(await manager.request(.house, timeout: nil).outcome == .unauthorized(denied))
  }

  @Test func deniedRecordingIsRetriedOnTheNextDemand() async {
    let lock = FailOnceRecording()
    let manager = LocationManager(
      source: ReplaySource(speed: .asFastAsPossible) { try lock.open() })
    #expect(await manager.request(.house, timeout: nil).outcome == .unauthorized(denied))
    guard case .reached = await manager.request(.house, timeout: nil).outcome else {
      Issue.record("the recording may be read, and was not tried again")
      return
    }
    #expect(await manager.status.authorization == Authorization(.always))
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may read everything"))
  func fileWithoutPermissionsIsDenied() async throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "whereabouts-\(UUID().uuidString)")
    try Data("x".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    let manager = LocationManager(source: ReplaySource(path: url.path))
    guard case .unauthorized(let authorization) = await manager.request(.house, timeout: nil).outcome else {
      Issue.record("a file that may not be read is no failure of the source")
      return
    }
    #expect(authorization.status == .denied)
    #expect(authorization.remedy?.hasSuffix("Run `chmod u+r \(url.path)`.") == true)
  }
}
