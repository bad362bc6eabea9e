package import WhereaboutsFormats

/// A buffered writer to standard output or a file.
///
/// A file appears under its name only once it is complete. The bytes go to a temporary file in the same folder, and
/// ``finish()`` renames that file. A failure before then leaves an existing file unchanged.
package final class OutputFile {
  /// The size from which buffered bytes are written.
  static let bufferSize = 1 << 16

  /// The reader has closed the output. Further output is useless, but this is no failure.
  package struct ReaderGoneError: Error {}

  /// The buffered bytes. Append to this array, then call ``flushIfFull()``.
  package var bytes: [UInt8] = []

  /// Whether both the input and the output are pipes, terminals or devices. Each part of a recording is then written at
  /// once, for a reader that follows the input.
  package let isLive: Bool

  private let descriptor: Int32
  private let destination: Destination

  private enum Destination {
    case standardOutput
    /// Standard output, which gets the bytes of a file without a name at the end.
    case heldBackStandardOutput
    /// A device or a named pipe, which is written directly.
    case device(String)
    case file(path: String, temporary: String, replacing: Bool)
  }

  /// Opens standard output for `nil` and `-`, or else a file.
  ///
  /// A file that replaces another file keeps the permissions of the other file.
  ///
  /// - Parameters:
  ///   - replacing: whether an existing file may be replaced; otherwise an existing file is an error.
  ///   - inputs: the files that the command reads, which are never replaced; `-` is standard input.
  ///   - holdingBack: whether standard output, too, gets nothing before ``finish()``.
  package init(
    path: String?, replacing: Bool, besides inputs: [String] = [], holdingBack: Bool = false
  ) throws(CommandError) {
    bytes.reserveCapacity(Self.bufferSize + 4096)
    isLive =
      !holdingBack && System.isStream(path ?? "-", or: System.standardOutput)
      && inputs.contains { System.isStream($0, or: 0) }
    guard let path, path != "-" else {
      if holdingBack {
        do throws(System.CallError) { descriptor = try System.createWithoutName() } catch {
          throw CommandError("could not buffer the output in \(System.temporaryFolder): \(error.reason)")
        }
        destination = .heldBackStandardOutput
        return
      }
      descriptor = System.standardOutput
      destination = .standardOutput
      return
    }
    let status = System.status(atPath: path)
    if let status, status.isDirectory { throw CommandError("could not write \(path): it is a folder") }
    if let input = inputs.first(where: { System.isSameFile(path, $0) }) {
      throw CommandError("could not write \(path): the command reads \(Self.inputName(input, as: path))")
    }
    do {
      if let status, !status.isRegular {
        descriptor = try System.openForWriting(path)
        destination = .device(path)
        return
      }
      if status != nil, !replacing { throw Self.existingFileError(path) }
      if let error = Self.databaseError(path) { throw error }
      let temporary = System.temporaryName(of: path)
      System.removeAbandonedParts(of: path)
      descriptor = try System.create(temporary, inPlaceOf: path)
      _ = try? System.lock(descriptor)
      System.removeOnSignal(temporary)
      destination = .file(path: path, temporary: temporary, replacing: replacing)
    } catch let failure as System.CallError {
      let reason = failure.isExisting ? Self.temporaryFileRemedy(path) : failure.reason
      throw CommandError(
        "could not write \(path): \(reason)", code: failure.isForbidden ? .notPermitted : .failed)
    } catch let failure as CommandError {
      throw failure
    } catch {
      throw CommandError("could not write \(path)")
    }
  }

  deinit {
    guard descriptor != System.standardOutput, !isFinished else { return }
    System.close(descriptor)
    guard case .file(_, let temporary, _) = destination else { return }
    System.remove(temporary)
    System.keepOnSignal(temporary)
  }

  private var isFinished = false

  /// Writes the buffered bytes if the buffer is full.
  package func flushIfFull() throws {
    if bytes.count >= Self.bufferSize { try flush() }
  }

  /// Writes elements of a recording.
  package func write(_ elements: [RecordingElement], with writer: inout any RecordingWriter) throws {
    var index = 0
    while index < elements.count {
      index = writer.write(elements, from: index, until: Self.bufferSize, to: &bytes)
      try flushIfFull()
    }
    if isLive { try flush() }
  }

  /// Writes the buffered bytes.
  package func flush() throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    do throws(System.CallError) {
      try bytes.withUnsafeBufferPointer { (buffer) throws(System.CallError) in
        try System.write(descriptor, UnsafeRawBufferPointer(buffer))
      }
    } catch {
      if error.isBrokenPipe { throw ReaderGoneError() }
      throw CommandError("could not write \(name): \(error.reason)")
    }
  }

  /// Writes the remaining bytes and moves the file to its final name.
  package func finish() throws {
    try flush()
    guard descriptor != System.standardOutput else { return }
    defer { isFinished = true }
    if case .heldBackStandardOutput = destination { try copyToStandardOutput() }
    System.close(descriptor)
    guard case .file(let path, let temporary, let replacing) = destination else { return }
    defer { System.keepOnSignal(temporary) }
    // The file may have become a database meanwhile.
    if replacing, let error = Self.databaseError(path) {
      System.remove(temporary)
      throw error
    }
    do {
      if replacing {
        try System.move(temporary, to: path)
      } else {
        try System.moveWithoutReplacing(temporary, to: path)
      }
    } catch {
      System.remove(temporary)
      throw error.isExisting
        ? Self.existingFileError(path) : CommandError("could not write \(path): \(error.reason)")
    }
  }

  private func copyToStandardOutput() throws {
    do throws(System.CallError) {
      try System.rewind(descriptor)
      while true {
        let part = try System.nextBytes(of: descriptor, count: Self.bufferSize)
        guard !part.isEmpty else { return }
        try System.write(System.standardOutput, part)
      }
    } catch {
      if error.isBrokenPipe { throw ReaderGoneError() }
      throw CommandError("could not write standard output: \(error.reason)")
    }
  }

  /// Prints text on standard output at once, also into a file or a pipe.
  ///
  /// - Returns: false if the reader has closed the output.
  @discardableResult
  package static func printText(_ text: String) throws -> Bool {
    let output = try OutputFile(path: nil, replacing: false)
    output.bytes += text.utf8
    do { try output.flush() } catch is ReaderGoneError { return false }
    return true
  }

  private var name: String {
    switch destination {
    case .standardOutput: "standard output"
    case .heldBackStandardOutput: "a file in \(System.temporaryFolder)"
    case .device(let path), .file(let path, _, _): path
    }
  }

  private static func inputName(_ input: String, as path: String) -> String {
    switch input {
    case path: "it"
    case "-": "it on standard input"
    default: "it as \(input)"
    }
  }

  /// Returns the remedy for a temporary file that exists already.
  private static func temporaryFileRemedy(_ path: String) -> String {
    """
    another process writes the file, or \(System.temporaryName(of: path)) is left over and must be removed
    """
  }

  /// Returns the error for an existing file that is an SQLite database, and for a path that is one of a part of a
  /// database beside it, whether or not the part exists: SQLite would use or remove the file as its own. `nil` for any
  /// other path. A store may hold years of history, and no command writes a database as its output.
  static func databaseError(_ path: String) -> CommandError? {
    if let database = System.database(withPart: path) {
      return CommandError(
        "could not write \(path): it is a part of the SQLite database \(database). Write to another file.")
    }
    guard System.isDatabase(path) else { return nil }
    return CommandError(
      "could not write \(path): it is an SQLite database, as a store is. Write to another file, or remove it first."
    )
  }

  /// Returns the error for the path of a store, or of a file beside the store that belongs to the store; `nil` for any
  /// other path. The run may create these files later. They lie beside the file to which a link to a store leads.
  static func storeError(_ path: String, of store: StorePath) -> CommandError? {
    let files = [store.file, System.absolutePath(of: store.file) ?? store.file]
    let ends = [""] + System.databasePartEnds(of: path)
    guard ends.contains(where: { end in files.contains { System.isSamePath(path, $0 + end) } }) else {
      return nil
    }
    return CommandError(
      "could not write \(path): it is the store \(store.file) or a part of it. Write to another file.")
  }

  /// Returns the error for an existing file that is not replaced. No permission replaces a database.
  package static func existingFileError(_ path: String) -> CommandError {
    databaseError(path)
      ?? CommandError("could not write \(path): the file exists. Pass --force to replace the file.")
  }
}
