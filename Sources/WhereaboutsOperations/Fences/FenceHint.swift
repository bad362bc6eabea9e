/// The hint for a store without fences.
package enum FenceHint {
  package static func noFences(at path: StorePath) -> String {
    guard let former = path.legacyFenceFile else {
      return "no fences. Run `whereabouts fence add` to add a fence."
    }
    return "no fences in \(path.file). \(importing(former))"
  }

  /// Returns the remedy for fences that an earlier version stored in a file.
  package static func importing(_ former: String) -> String {
    "Run `whereabouts fence import \(former)` to import the fences of an earlier version."
  }
}
