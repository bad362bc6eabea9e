/// An exclusive lock on the folder of a store. The lock protects a command that reads fences and then changes them.
/// The system releases the lock even if the process is killed. The lock leaves no file in the folder, and a watch
/// needs no lock.
final class FolderLock {
  /// The maximum wait for the lock, in steps of 10 ms.
  private static let attemptLimit = 500

  private let descriptor: Int32

  /// Locks the folder of a file.
  init(around file: String) throws(CommandError) {
    let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    do throws(System.CallError) {
      descriptor = try System.openFolder(folder)
    } catch {
      throw CommandError("could not open \(folder): \(error.reason)", code: error.code(otherwise: .failed))
    }
    var left = Self.attemptLimit
    // A file system without such locks has no other holder to wait for.
    while (try? System.lock(descriptor)) == false {
      guard left > 0 else {
        System.close(descriptor)
        throw CommandError("could not change the fences: another process has locked them for 5 s")
      }
      left -= 1
      System.sleepBriefly()
    }
  }

  deinit { System.close(descriptor) }
}
