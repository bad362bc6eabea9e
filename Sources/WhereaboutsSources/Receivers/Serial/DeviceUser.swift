import SystemPackage

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A process that has a file or device open.
package struct DeviceUser: Hashable, Sendable, CustomStringConvertible {
  /// Its number.
  package var process: Int32
  /// What it is called; `nil` where that can't be read.
  package var name: String?

  package var description: String { "\(name ?? "a program") (process \(process))" }

  /// The processes other than this one that have a path open, as far as this process may see: those of its own user, or
  /// all of them where it is the superuser's. Finds nothing where there is no `/proc`.
  package static func all(of path: String) -> [DeviceUser] {
    guard let resolved = realpath(path, nil), let processes = opendir("/proc") else { return [] }
    defer {
      free(resolved)
      closedir(processes)
    }
    var users: [DeviceUser] = []
    let own = getpid()
    while let entry = readdir(processes) {
      guard let process = Int32(entry.entryName), process != own, hasOpen(process, resolved) else { continue }
      users.append(DeviceUser(process: process, name: name(of: process)))
    }
    return users.sorted { $0.process < $1.process }
  }

  private static func hasOpen(_ process: Int32, _ path: UnsafePointer<CChar>) -> Bool {
    let folder = "/proc/\(process)/fd"
    guard let descriptors = opendir(folder) else { return false }
    defer { closedir(descriptors) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { target in
      guard let found = target.baseAddress else { return false }
      while let entry = readdir(descriptors) {
        let count = readlink("\(folder)/\(entry.entryName)", found, target.count - 1)
        guard count > 0 else { continue }
        target[count] = 0
        if strcmp(found, path) == 0 { return true }
      }
      return false
    }
  }

  private static func name(of process: Int32) -> String? {
    guard let file = try? FileDescriptor.open(FilePath("/proc/\(process)/comm"), .readOnly) else {
      return nil
    }
    // It was only read.
    defer { try? file.close() }
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      guard let count = try? file.read(into: buffer), count > 0 else { return nil }
      let bytes = buffer.prefix(count).prefix { $0 != 0x0A }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension UnsafeMutablePointer<dirent> {
  /// The name of what a folder lists.
  var entryName: String {
    // It is a fixed array in the structure, which Swift sees as a tuple.
    withUnsafePointer(to: &pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
        String(cString: $0)
      }
    }
  }
}
