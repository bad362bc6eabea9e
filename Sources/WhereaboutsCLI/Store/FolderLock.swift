/// The folder of a store, held by one command at a time: who looks at the fences and then changes them must not be come
/// between. The system lets go of it however the process ends. Nothing is left in the folder, and whoever watches needs it
/// not.
final class FolderLock {
  /// Hundredths of a second to wait for another to let go.
  private static let patience = 500

  private let descriptor: Int32

  /// Takes hold of the folder that a file is in.
  init(around file: String) throws(CommandFailure) {
    let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    do throws(System.Failure) {
      descriptor = try System.openFolder(folder)
    } catch {
      throw CommandFailure("could not open \(folder): \(error.reason)", code: error.code(otherwise: .failed))
    }
    var left = Self.patience
    // A file system without such locks has nobody to wait for.
    while (try? System.lock(descriptor)) == false {
      guard left > 0 else {
        System.close(descriptor)
        throw CommandFailure("could not change the fences: another process has been changing them for 5 s")
      }
      left -= 1
      System.waitABit()
    }
  }

  deinit { System.close(descriptor) }
}
