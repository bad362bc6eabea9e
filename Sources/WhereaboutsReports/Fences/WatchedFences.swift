package import WhereaboutsModel

/// The fences of a file, and the texts about their events.
package struct WatchedFences {
  package let fences: [Fence]
  package let text: FenceEventText

  package init(_ fences: [Fence]) {
    self.fences = fences
    text = FenceEventText(fences)
  }
}
