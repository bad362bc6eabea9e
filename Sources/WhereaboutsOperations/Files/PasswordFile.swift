#if Server
  import WhereaboutsSystem

  /// A file with one password on its first line.
  package enum PasswordFile {
    /// Returns the password of a file; `-` is standard input.
    ///
    /// - Throws: `CommandError` if the file is unreadable, is readable by others, or has further lines.
    package static func password(at path: String) throws(CommandError) -> String {
      let bytes: [UInt8]?
      do throws(System.CallError) { bytes = try contents(at: path) } catch {
        throw CommandError("could not read \(path): \(error.reason)", code: error.code(otherwise: .failed))
      }
      guard let bytes else {
        throw CommandError(
          "could not use \(path): other users can read or write the file. Run `chmod 600 \(path)`.",
          code: .notPermitted)
      }
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandError("could not use the password: the file is not UTF-8")
      }
      var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      while lines.last?.isEmpty == true { lines.removeLast() }
      guard lines.count == 1 else {
        throw CommandError(
          "could not use the password: the file must have one line, and it has \(lines.count)")
      }
      return String(lines[0])
    }

    /// - Returns: `nil` if others may read the file.
    private static func contents(at path: String) throws(System.CallError) -> [UInt8]? {
      guard path != "-" else { return try System.standardInputContents() }
      guard let descriptor = try System.openForReading(path) else { throw System.CallError(code: ENOENT) }
      defer { System.close(descriptor) }
      guard !System.isReadableByOthers(descriptor) else { return nil }
      return try System.contents(of: descriptor)
    }
  }
#endif
