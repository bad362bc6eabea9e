/// An observer of a reader's progress.
package protocol ReadingProgress: AnyObject {
  /// Advances to a number of processed bytes.
  func advance(to done: Int)

  /// Ends the progress. A reader that fails does not call this function.
  func end()
}
