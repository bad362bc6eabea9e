/// Whether this build of the command can upload; the package trait `Upload` decides.
package enum UploadSupport {
  /// The reason why this build cannot upload, and the remedy.
  static let unavailableReason =
    """
    this program was built without upload support. Build it with `swift build --product whereabouts`.
    """

  /// Checks that this build can upload.
  ///
  /// - Parameter purpose: finishes the sentence "could not …".
  /// - Throws: `CommandError` if the trait `Upload` was off.
  package static func require(to purpose: String) throws(CommandError) {
    #if !Upload
      throw CommandError("could not \(purpose): \(unavailableReason)")
    #endif
  }
}
