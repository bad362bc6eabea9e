import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Who may read a file or device, and who this process is.
struct FileAccess: Hashable {
  /// Who this process acts as.
  struct Reader: Hashable {
    var id: UInt32
    /// `nil` where the system has no name for it.
    var name: String?
    /// The groups it acts in.
    var groups: Set<UInt32>
    /// The groups that the system has it in: those that its next login will act in.
    var listedGroups: Set<UInt32>
  }

  /// A user or a group.
  struct Holder: Hashable {
    var id: UInt32
    /// `nil` where the system has no name for it.
    var name: String?
  }

  var path: String
  /// The permission bits, such as 0o640.
  var mode: UInt32
  var isFolder: Bool
  var owner: Holder
  var group: Holder
  var reader: Reader
}

extension FileAccess {
  /// What stands in the way to a path: itself, or the folder above it that can't be looked into.
  ///
  /// - Returns: `nil` where nothing can be found out, because it is gone meanwhile.
  init?(blocking path: String) {
    var path = FilePath(path)
    if path.isRelative, let folder = Self.currentFolder { path = folder.appending(path.components) }
    while true {
      do {
        self.init(path, try path.stat())
        return
      } catch {
        // Without leave to look into its folder, nothing can be said of a file.
        guard error == .permissionDenied, path.removeLastComponent() else { return nil }
      }
    }
  }

  private init(_ path: FilePath, _ status: Stat) {
    self.path = path.string
    mode = UInt32(status.permissions.rawValue)
    isFolder = status.type == .directory
    owner = Holder(id: status.userID.rawValue, name: Self.userName(status.userID.rawValue))
    group = Holder(id: status.groupID.rawValue, name: Self.groupName(status.groupID.rawValue))
    reader = .current
  }

  private static var currentFolder: FilePath? {
    guard let text = getcwd(nil, 0) else { return nil }
    defer { free(text) }
    return FilePath(platformString: text)
  }

  // The database calls without `_r` share their answer with the whole process.

  private static func userName(_ id: UInt32) -> String? {
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    return withDatabaseBuffer { buffer, size in
      getpwuid_r(id, &entry, buffer, size, &result) == 0 && result != nil
        ? String(cString: entry.pw_name) : nil
    }
  }

  private static func groupName(_ id: UInt32) -> String? {
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
    // Groups of many members are long.
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
      buffer.baseAddress.flatMap { body($0, buffer.count) }
    }
  }
}

// The name of the structure is that of a property here too.
private typealias group_ = group

extension FileAccess.Reader {
  /// This process.
  static var current: Self {
    let id = geteuid()
    var entry = passwd()
    var result: UnsafeMutablePointer<passwd>?
    var reader = Self(id: id, name: nil, groups: [getegid()], listedGroups: [])
    reader.groups.formUnion(list { getgroups($1, $0) })
    _ = FileAccess.withDatabaseBuffer { buffer, size -> Void? in
      guard getpwuid_r(id, &entry, buffer, size, &result) == 0, result != nil else { return nil }
      reader.name = String(cString: entry.pw_name)
      reader.listedGroups = Set(listedGroups(entry.pw_name, entry.pw_gid))
      return ()
    }
    return reader
  }

  private static func list(_ fill: (UnsafeMutablePointer<gid_t>?, Int32) -> Int32) -> [UInt32] {
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
