/// Bytes on their way to standard output or a file, gathered into large writes.
///
/// A file appears under its name only once it is complete: the bytes go to a temporary file beside it, and ``finish()``
/// gives that the name. A failure half-way leaves what was there before.
final class OutputFile {
  /// Bytes gathered before they are written.
  static let bufferSize = 1 << 16

  /// The reader has gone: nothing more needs to be written, and nothing went wrong.
  struct ReaderGone: Error {}

  /// What is waiting to be written. Append here, then call ``flushIfFull()``.
  var bytes: [UInt8] = []

  private let descriptor: Int32
  private let destination: Destination

  private enum Destination {
    case standardOutput
    /// Written as it is: a device or a named pipe.
    case device(String)
    case file(path: String, temporary: String, replacing: Bool)
  }

  /// Standard output for `nil` and `-`, else a file.
  ///
  /// A file that replaces another keeps the permissions of that one.
  ///
  /// - Parameters:
  ///   - replacing: whether a file that is there already may be replaced; otherwise that is a failure, before
  ///     anything is written.
  ///   - inputs: the files that the command reads, which are never replaced; `-` is standard input.
  init(path: String?, replacing: Bool, besides inputs: [String] = []) throws(CommandFailure) {
    bytes.reserveCapacity(Self.bufferSize + 4096)
    guard let path, path != "-" else {
      descriptor = System.standardOutput
      destination = .standardOutput
      return
    }
    let status = System.status(atPath: path)
    if let status, status.isDirectory { throw CommandFailure("could not write \(path): it is a folder") }
    if let input = inputs.first(where: { System.isSameFile(path, $0) }) {
      throw CommandFailure("could not write \(path): the command reads \(Self.inputName(input, as: path))")
    }
    do {
      if let status, !status.isRegular {
        descriptor = try System.openForWriting(path)
        destination = .device(path)
        return
      }
      if status != nil, !replacing { throw Self.existing(path) }
      let temporary = "\(path).part-\(System.processIdentifier)"
      descriptor = try System.create(temporary, inPlaceOf: path)
      System.removeOnSignal(temporary)
      destination = .file(path: path, temporary: temporary, replacing: replacing)
    } catch let failure as System.Failure {
      let reason = failure.isExisting ? Self.occupied(path) : failure.reason
      throw CommandFailure("could not write \(path): \(reason)")
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      throw CommandFailure("could not write \(path)")
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

  /// Writes what is waiting if it is much.
  func flushIfFull() throws {
    if bytes.count >= Self.bufferSize { try flush() }
  }

  /// Writes what is waiting.
  func flush() throws {
    defer { bytes.removeAll(keepingCapacity: true) }
    do throws(System.Failure) {
      try bytes.withUnsafeBufferPointer { (buffer) throws(System.Failure) in
        try System.write(descriptor, UnsafeRawBufferPointer(buffer))
      }
    } catch {
      if error.isBrokenPipe { throw ReaderGone() }
      throw CommandFailure("could not write \(name): \(error.reason)")
    }
  }

  /// Writes the rest and puts the file in its place.
  func finish() throws {
    try flush()
    guard descriptor != System.standardOutput else { return }
    defer { isFinished = true }
    System.close(descriptor)
    guard case .file(let path, let temporary, let replacing) = destination else { return }
    defer { System.keepOnSignal(temporary) }
    do {
      if replacing {
        try System.move(temporary, to: path)
      } else {
        try System.moveWithoutReplacing(temporary, to: path)
      }
    } catch {
      System.remove(temporary)
      throw error.isExisting
        ? Self.existing(path) : CommandFailure("could not write \(path): \(error.reason)")
    }
  }

  private var name: String {
    switch destination {
    case .standardOutput: "standard output"
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

  /// What to do where the file that is to get the name at the end is there already.
  private static func occupied(_ path: String) -> String {
    "it is being written already, or \(path).part-\(System.processIdentifier) was left behind"
  }

  static func existing(_ path: String) -> CommandFailure {
    CommandFailure("could not write \(path): it is there already (--force replaces it)")
  }
}
