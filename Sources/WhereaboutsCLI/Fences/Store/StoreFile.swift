/// A file of a store that is replaced as a whole: at any time it holds all of what it held before, or all of what it is to
/// hold.
struct StoreFile {
  let folder: String
  let name: String

  var path: String { "\(folder)/\(name)" }

  /// What it holds; `nil` before it was first written.
  func read() throws(CommandFailure) -> [UInt8]? {
    do throws(System.Failure) { return try System.contents(ofPath: path) } catch {
      throw CommandFailure("could not read \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
  }

  /// Replaces what it holds, and returns when that is on the disk. Only one at a time may do so.
  func write(_ bytes: [UInt8]) throws(CommandFailure) {
    do throws(System.Failure) {
      let temporary = "\(path).new"
      let descriptor = try System.openPrivate(temporary, isEmptied: true)
      do throws(System.Failure) {
        defer { System.close(descriptor) }
        try System.write(descriptor, bytes)
        try System.synchronize(descriptor)
      } catch {
        System.remove(temporary)
        throw error
      }
      try System.move(temporary, to: path)
      try System.synchronizeFolder(folder)
    } catch {
      throw CommandFailure("could not write \(path): \(error.reason)", code: error.code(otherwise: .failed))
    }
  }
}

extension System.Failure {
  /// The exit code that goes with it.
  func code(otherwise code: CommandFailure.Code) -> CommandFailure.Code {
    isForbidden ? .notPermitted : code
  }
}
