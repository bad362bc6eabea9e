/// Whether this build of the command can upload; the package trait `Upload` decides.
enum UploadSupport {
  /// Why nothing is uploaded, and what to do.
  static let missing =
    "this program was built without uploading (`swift build --product whereabouts` builds it in)"

  /// Checks that this build can upload.
  ///
  /// - Parameter purpose: finishes the sentence "could not …".
  /// - Throws: `CommandFailure` if the trait `Upload` was off.
  static func require(to purpose: String) throws(CommandFailure) {
    #if !Upload
      throw CommandFailure("could not \(purpose): \(missing)")
    #endif
  }
}
