import SystemPackage
import WhereaboutsSystem

/// A process that has a file or device open.
package struct DeviceUser: Hashable, Sendable, CustomStringConvertible {
  /// The process ID.
  package var processID: Int32
  /// The process's name; `nil` if it can't be read.
  package var name: String?

  package var description: String { "\(name ?? "a program") (process \(processID))" }

  /// Returns the other processes that have a path open, as far as this process may see them: those of its own user,
  /// or all for the superuser. Returns none without `/proc`.
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
      users.append(DeviceUser(processID: process, name: name(of: process)))
    }
    return users.sorted { $0.processID < $1.processID }
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
    // The file was only read.
    defer { try? file.close() }
    return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      guard let count = try? file.read(into: buffer), count > 0 else { return nil }
      let bytes = buffer.prefix(count).prefix { $0 != 0x0A }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension UnsafeMutablePointer<dirent> {
  /// The name of a folder's entry.
  var entryName: String {
    // The field is a fixed array, which Swift imports as a tuple.
    withUnsafePointer(to: &pointee.d_name) { pointer in
      pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
        String(cString: $0)
      }
    }
  }
}
