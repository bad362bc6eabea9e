import WhereaboutsSystem

/// A configuration file: lines of `KEY=value`, as systemd's EnvironmentFile has them.
///
/// A line that begins with `#` or `;` is a comment. Quotes around a value are removed. A value has no continuation on
/// the next line, because readers of such files disagree about it.
struct ConfigurationFile {
  /// The greatest size of a file in bytes.
  private static let maximumSize = 1 << 20

  private(set) var values: [ServerSetting: SettingValue] = [:]
  private(set) var problems: [ConfigurationProblem] = []

  /// Reads a file.
  init(path: String) {
    let bytes: [UInt8]
    do throws(FileReadError) { bytes = try readFile(path, upTo: Self.maximumSize + 1) } catch {
      self.init(
        ConfigurationProblem(
          .file(path), "The file can't be read: \(error.reason). Check the path and who may read it."))
      return
    }
    guard bytes.count <= Self.maximumSize else {
      self.init(
        ConfigurationProblem(.file(path), "The file is larger than 1 MiB. This is no configuration file."))
      return
    }
    self.init(text: String(decoding: bytes, as: UTF8.self), name: path)
  }

  private init(_ problem: ConfigurationProblem) { problems = [problem] }

  /// Reads the text of a file.
  ///
  /// - Parameter name: the file's name in origins.
  init(text: String, name: String) {
    let text = text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      read(Self.trimmed(line), at: .line(index + 1, of: name))
    }
  }

  private mutating func read(_ line: Substring, at origin: SettingOrigin) {
    guard let first = line.first, first != "#", first != ";" else { return }
    guard let separator = line.firstIndex(of: "=") else {
      problems.append(
        ConfigurationProblem(origin, "The line has no =. Write KEY=value, or # before a comment."))
      return
    }
    let key = Self.trimmed(line[..<separator])
    guard let setting = ServerSetting(key: key) else {
      problems.append(ConfigurationProblem(origin, UnknownKey.text(key)))
      return
    }
    if let earlier = values[setting] {
      problems.append(
        ConfigurationProblem(
          origin, "\(setting.rawValue) stands at \(earlier.origin) too. Remove one of the lines."))
    }
    let value = Self.trimmed(line[line.index(after: separator)...])
    guard value.last != "\\" else {
      problems.append(
        ConfigurationProblem(origin, "A value can't continue on the next line. Write it on one line."))
      return
    }
    values[setting] = SettingValue(Self.unquoted(value), origin)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text.drop(while: \.isWhitespace)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }

  private static func unquoted(_ text: Substring) -> String {
    guard text.count >= 2, let first = text.first, first == "\"" || first == "'", text.last == first else {
      return String(text)
    }
    return String(text.dropFirst().dropLast())
  }
}

/// The reason why the system does not let a file be read.
struct FileReadError: Error {
  /// The value of `errno`.
  let code: Int32

  /// The description of the system: `No such file or directory`.
  var reason: String { String(cString: strerror(code)) }
}

/// Returns the bytes of a file up to a number.
func readFile(_ path: String, upTo limit: Int) throws(FileReadError) -> [UInt8] {
  // A pipe without a writer must not hang the server.
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  guard descriptor >= 0 else { throw FileReadError(code: errno) }
  defer { close(descriptor) }
  var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
  while bytes.count < limit {
    let count = read(descriptor, &chunk, min(chunk.count, limit - bytes.count))
    if count < 0, errno == EINTR { continue }
    guard count >= 0 else { throw FileReadError(code: errno) }
    if count == 0 { break }
    bytes += chunk[..<count]
  }
  return bytes
}
