// Functions to find the files of a folder.
import WhereaboutsSystem

extension System {
  /// Returns the paths of the files in a folder and the folders within, in the order of their names.
  ///
  /// Hidden files are left out, and so are links to folders, which could lead in circles. A folder within that can't be
  /// read is itself in the list, and so is a file whose name is not UTF-8.
  package static func files(inFolder path: String) throws(CallError) -> [String] {
    var found: [String] = []
    for name in try names(inFolder: path) where !name.hasPrefix(".") {
      let child = path.hasSuffix("/") ? path + name : "\(path)/\(name)"
      var info = stat()
      guard lstat(child, &info) == 0 else {
        // A name that is not UTF-8 can't be opened as text. The failure is reported when the file is opened.
        found.append(child)
        continue
      }
      switch info.st_mode & S_IFMT {
      case S_IFDIR:
        do throws(CallError) {
          found += try files(inFolder: child)
        } catch {
          // A folder that can't be read does not end the search. The reason is reported when it is opened as a file.
          found.append(child)
        }
      case S_IFREG: found.append(child)
      case S_IFLNK: if status(atPath: child)?.isRegular == true { found.append(child) }
      default: break
      }
    }
    return found
  }

  /// Returns the absolute path of a file, without dots and links; `nil` if there is no such file.
  static func absolutePath(of path: String) -> String? {
    guard let text = realpath(path, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// Returns whether two paths lead to one file, whether or not the file exists.
  static func isSamePath(_ path: String, _ other: String) -> Bool {
    if isSameFile(path, other) { return true }
    func parts(_ path: String) -> (folder: String, name: Substring) {
      guard let slash = path.lastIndex(of: "/") else { return (".", path[...]) }
      return (String(path[...slash]), path[path.index(after: slash)...])
    }
    let (one, another) = (parts(path), parts(other))
    // A folder that is missing too has only its name.
    return one.name == another.name
      && (absolutePath(of: one.folder) ?? one.folder) == (absolutePath(of: another.folder) ?? another.folder)
  }

  private static func names(inFolder path: String) throws(CallError) -> [String] {
    guard let folder = opendir(path) else { throw CallError(code: errno) }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The text before the number of the process in the name of a temporary file. No other program has it: files as
  /// `NAME.part-12`, which `split` makes, are never removed.
  private static let temporaryInfix = ".whereabouts-part-"

  /// Returns the name under which this process writes a file until it is complete.
  static func temporaryName(of path: String) -> String { "\(path)\(temporaryInfix)\(processIdentifier)" }

  /// Removes the temporary files of killed processes that were writing a file.
  ///
  /// The file of a running process stays. The lock shows that a process of another container or computer writes it.
  static func removeAbandonedParts(of path: String) {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let prefix = "\(slash.map { String(path[path.index(after: $0)...]) } ?? path)\(temporaryInfix)"
    for name in (try? names(inFolder: folder)) ?? [] where name.hasPrefix(prefix) {
      guard let process = Int32(name.dropFirst(prefix.count)), process > 0 else { continue }
      if process != processIdentifier, kill(process, 0) == 0 || errno != ESRCH { continue }
      let part = "\(folder)\(name)"
      let descriptor = open(part, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      if (try? lock(descriptor)) == true { remove(part) }
    }
  }

  /// Returns the size of a file in bytes; `nil` if it is unknown.
  package static func size(ofFile path: String) -> Int? {
    var info = stat()
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(info.st_size)
  }
}
