#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import WhereaboutsFormats
import WhereaboutsSystem

/// A file with the credentials of an endpoint: header fields and secret parts of a URL.
///
/// Each line holds one item. A field is `Name: value`. A line without a name is the value of `Authorization`, as in
/// `Bearer …`; `Basic user:password` is encoded as the scheme requires. A line that begins with `?` extends the URL's
/// query, as in `?token=…`; a line that begins with `/` extends the path. Empty lines and lines that begin with # are
/// ignored.
public enum AuthorizationFile {
  /// The content of a file.
  public struct Contents: Hashable, Sendable {
    /// The header fields.
    public var fields: [UploadMessage.Field] = []
    /// The text appended to the path of the URL.
    public var path = ""
    /// The parts of the query, without question marks.
    public var query: [String] = []

    /// Whether the content is empty.
    public var isEmpty: Bool { fields.isEmpty && path.isEmpty && query.isEmpty }
  }

  /// An error of reading a file.
  public struct ReadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The failure and the remedy for a person, without the file's content.
    public let description: String
    /// Whether the permissions of the file are the reason.
    package var isForbidden = false
  }

  /// The greatest size of a file, in bytes.
  private static let maximumSize = 65_536

  /// Returns the content of a file.
  ///
  /// - Throws: ``ReadError`` if the file is unreadable, is no regular file, is readable by others than its owner, or
  ///   holds nothing usable.
  public static func contents(at path: String) throws(ReadError) -> Contents {
    // Don't block on a named pipe without a writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      let code = errno
      throw ReadError(
        description: "could not read \(path): \(String(cString: strerror(code)).lowercased())",
        isForbidden: code == EACCES || code == EPERM)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw ReadError(description: "could not read \(path): it is not a regular file")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw ReadError(
        description: "could not use \(path): others may read it or write it (chmod 600 \(path) changes that)",
        isForbidden: true)
    }
    var bytes = [UInt8](repeating: 0, count: maximumSize + 1)
    var length = 0
    while length < bytes.count {
      let start = length
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress.map { $0 + start }, $0.count - start)
      }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { break }
      length += count
    }
    guard length <= maximumSize else {
      throw ReadError(description: "could not use \(path): it is too large for header fields")
    }
    return try contents(of: String(decoding: bytes.prefix(length), as: UTF8.self), at: path)
  }

  static func contents(of text: String, at path: String) throws(ReadError) -> Contents {
    var contents = Contents()
    for (index, line) in text.split(whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmingPrefix(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix("#") { continue }
      guard add(line, to: &contents) else {
        throw ReadError(
          description:
            "could not use \(path): line \(index + 1) is no header field (Name: value, or Bearer …) and no part of a URL (?name=value, or /path)"
        )
      }
    }
    guard !contents.isEmpty else {
      throw ReadError(description: "could not use \(path): there is nothing in it")
    }
    return contents
  }

  private static func add(_ line: Substring, to contents: inout Contents) -> Bool {
    guard line.hasPrefix("?") || line.hasPrefix("/") else {
      guard let field = field(String(line)) else { return false }
      contents.fields.append(field)
      return true
    }
    var part = line
    while part.last?.isWhitespace == true { part.removeLast() }
    let isOfURL = part.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }
    guard isOfURL, part.count > 1 else { return false }
    if part.hasPrefix("?") {
      contents.query.append(String(part.dropFirst()))
    } else if part.contains("?") {
      return false
    } else {
      contents.path += part
    }
    return true
  }

  private static func field(_ line: String) -> UploadMessage.Field? {
    // Allow only the characters of a value in RFC 9110, section 5.5, so that a value can't inject another field.
    guard line.unicodeScalars.allSatisfy({ $0 == "\t" || ($0.value >= 0x20 && $0.value < 0x7F) }) else {
      return nil
    }
    var name = "Authorization"
    var value = line[...]
    if let colon = line.firstIndex(of: ":"), !line[..<colon].isEmpty,
      line[..<colon].utf8.allSatisfy({ isTokenByte($0) })
    {
      name = String(line[..<colon])
      value = line[line.index(after: colon)...].trimmingPrefix(while: \.isWhitespace)
    }
    while value.last?.isWhitespace == true { value.removeLast() }
    guard !value.isEmpty else { return nil }
    return UploadMessage.Field(name, encoded(String(value)))
  }

  private static func encoded(_ value: String) -> String {
    let parts = value.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "basic", parts[1].contains(":") else { return value }
    return "Basic \(Data(parts[1].utf8).base64EncodedString())"
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
}
