import WhereaboutsSystem

/// A file whose first line is a secret.
enum SecretFile {
  /// The reason why a file can't be used, with the remedy.
  struct ReadError: Error {
    let text: String
  }

  /// Returns the first line of a file.
  static func firstLine(of path: String) throws(ReadError) -> String {
    let bytes: [UInt8]
    do throws(FileReadError) { bytes = try readFile(path, upTo: 4097) } catch {
      throw ReadError(text: "The file can't be read: \(error.reason). Check the path and who may read it.")
    }
    let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard !line.isEmpty, bytes.count <= 4096, !line.contains(0) else {
      throw ReadError(text: "The file must hold the password in its first line.")
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Returns a warning of a file that every user of this machine may read; `nil` for another file.
  static func warning(of path: String) -> String? {
    guard FileMode.isReadableByEverybody(path) else { return nil }
    return "Every user of this machine may read the secret in \(path). `chmod o= \(path)` changes that."
  }
}
