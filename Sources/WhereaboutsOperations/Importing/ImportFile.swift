/// A file to be imported.
package struct ImportFile: Equatable {
  package let path: String
  /// Whether the file was found in a folder, where files that are no recordings are usual.
  let isFromFolder: Bool

  /// Returns the files of the given paths: files, and the files in folders.
  package static func all(of paths: [String]) throws(CommandError) -> [ImportFile] {
    var files: [ImportFile] = []
    for path in paths {
      guard path != "-", System.status(atPath: path)?.isDirectory == true else {
        files.append(ImportFile(path: path, isFromFolder: false))
        continue
      }
      do throws(System.CallError) {
        // A file that can't be found under its name, because the name is not UTF-8, may be a recording.
        files += try System.files(inFolder: path).map {
          ImportFile(path: $0, isFromFolder: System.status(atPath: $0) != nil)
        }
      } catch {
        throw CommandError(
          "could not read the folder \(path): \(error.reason)",
          code: error.isForbidden ? .notPermitted : .failed)
      }
    }
    return files
  }
}
