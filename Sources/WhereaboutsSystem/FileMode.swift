/// The access modes of files.
package enum FileMode {
  /// Returns whether every user of this machine may read a file; `false` if there is no file.
  package static func isReadableByEverybody(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & 0o004 != 0
  }
}
