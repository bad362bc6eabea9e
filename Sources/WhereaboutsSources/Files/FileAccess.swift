import SystemPackage
import WhereaboutsSystem

/// The permissions of a file or device, and the identity of this process.
struct FileAccess: Hashable {
  /// The user and groups that this process acts as.
  struct Reader: Hashable {
    var id: UInt32
    /// The name; `nil` where the system has none.
    var name: String?
    /// The groups that the process acts in.
    var groups: Set<UInt32>
    /// The groups that the system lists for the user: the next login acts in these.
    var listedGroups: Set<UInt32>
  }

  /// A user or a group.
  struct Principal: Hashable {
    var id: UInt32
    /// The name; `nil` where the system has none.
    var name: String?
  }

  var path: String
  /// The permission bits, such as 0o640.
  var mode: UInt32
  var isFolder: Bool
  var owner: Principal
  var group: Principal
  var reader: Reader
}

extension FileAccess {
  /// Finds the path component that blocks access: the path itself, or the folder above it that can't be searched.
  ///
  /// - Returns: `nil` if there is none any more, because the path was removed meanwhile.
  init?(blocking path: String) {
    var path = FilePath(path)
    if path.isRelative, let folder = Self.currentFolder { path = folder.appending(path.components) }
    while true {
      do {
        self.init(path, try path.stat())
        return
      } catch {
        // Without permission to search its folder, a file's status can't be read.
        guard error == .permissionDenied, path.removeLastComponent() else { return nil }
      }
    }
  }

  private init(_ path: FilePath, _ status: Stat) {
    self.path = path.string
    mode = UInt32(status.permissions.rawValue)
    isFolder = status.type == .directory
    owner = Principal(id: status.userID.rawValue, name: Self.userName(status.userID.rawValue))
    group = Principal(id: status.groupID.rawValue, name: Self.groupName(status.groupID.rawValue))
    reader = .current
  }

  private static var currentFolder: FilePath? {
    guard let text = getcwd(nil, 0) else { return nil }
    defer { free(text) }
    return FilePath(platformString: text)
  }

  // The functions without `_r` share their result with the whole process.

  private static func userName(_ id: UInt32) -> String? {
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    return withDatabaseBuffer { buffer, size in
      getpwuid_r(id, &entry, buffer, size, &result) == 0 && result != nil
        ? String(cString: entry.pw_name) : nil
    }
  }

  /// Returns whether the system has a group of a name.
  static func hasGroup(named name: String) -> Bool {
    var entry = group_()
    var result: UnsafeMutablePointer<group_>?
    return withDatabaseBuffer { buffer, size in
      getgrnam_r(name, &entry, buffer, size, &result) == 0 && result != nil ? true : nil
    } ?? false
  }

  /// Returns the name of a group; `nil` if the system has none.
  static func groupName(_ id: UInt32) -> String? {
    var entry = group_()
    var result: UnsafeMutablePointer<group_>?
    return withDatabaseBuffer { buffer, size in
      getgrgid_r(id, &entry, buffer, size, &result) == 0 && result != nil
        ? String(cString: entry.gr_name) : nil
    }
  }

  fileprivate static func withDatabaseBuffer<Value>(
    _ body: (UnsafeMutablePointer<CChar>, Int) -> Value?
  ) -> Value? {
    // A group with many members needs a large buffer.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
      buffer.baseAddress.flatMap { body($0, buffer.count) }
    }
  }
}

// The structure's name is also the name of a property here.
private typealias group_ = group

extension FileAccess.Reader {
  /// The identity of this process.
  static var current: Self {
    let id = geteuid()
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    var reader = Self(id: id, name: nil, groups: [getegid()], listedGroups: [])
    reader.groups.formUnion(readGroups { getgroups($1, $0) })
    _ = FileAccess.withDatabaseBuffer { buffer, size -> Void? in
      guard getpwuid_r(id, &entry, buffer, size, &result) == 0, result != nil else { return nil }
      reader.name = String(cString: entry.pw_name)
      reader.listedGroups = Set(listedGroups(entry.pw_name, entry.pw_gid))
      return ()
    }
    return reader
  }

  private static func readGroups(_ fill: (UnsafeMutablePointer<gid_t>?, Int32) -> Int32) -> [UInt32] {
    let count = fill(nil, 0)
    guard count > 0 else { return [] }
    var groups = [gid_t](repeating: 0, count: Int(count))
    let filled = groups.withUnsafeMutableBufferPointer { fill($0.baseAddress, count) }
    return Array(groups.prefix(Int(max(0, filled))))
  }

  private static func listedGroups(_ name: UnsafePointer<CChar>, _ group: gid_t) -> [UInt32] {
    #if canImport(Darwin)
      return []  // Takes numbers of another sign there, and no group stands before a serial port.
    #else
      var count: Int32 = 0
      getgrouplist(name, group, nil, &count)
      guard count > 0 else { return [] }
      var groups = [gid_t](repeating: 0, count: Int(count))
      guard getgrouplist(name, group, &groups, &count) >= 0 else { return [] }
      return Array(groups.prefix(Int(count)))
    #endif
  }
}
