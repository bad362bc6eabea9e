import WhereaboutsSystem

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

  /// Checks that the file of an endpoint can be read.
  ///
  /// - Throws: `CommandError` with the reason.
  package static func requireReadable(_ file: String) throws(CommandError) {
    do throws(System.CallError) {
      guard try System.contents(ofPath: file) != nil else { throw System.CallError(code: ENOENT) }
    } catch {
      throw CommandError("could not read \(file): \(error.reason)", code: error.code(otherwise: .failed))
    }
  }
}
