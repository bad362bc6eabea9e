/// The hint for a store without fences.
enum FenceHint {
  static func noFences(at path: StorePath) -> String {
    guard let former = path.legacyFenceFolder else {
      return "there is no fence yet; `whereabouts fence add` makes one"
    }
    return
      "there is no fence in \(path.file) yet; `whereabouts fence import \(former)` takes over those of \(former), "
      + "where they were kept before"
  }
}
