import WhereaboutsModel
package import WhereaboutsFormats

/// A recording that ends at a ``TimeLimit``.
package struct TimeLimitedFeed: RecordingFeed {
  private enum Stage {
    case counting
    case lifted
    case over
  }

  private var base: any RecordingFeed
  private let limit: TimeLimit
  private var timeline = ReplayTimeline()
  private var stage = Stage.counting

  package init(_ base: any RecordingFeed, _ limit: TimeLimit) {
    self.base = base
    self.limit = limit
  }

  package mutating func read(into elements: inout [RecordingElement]) throws -> Bool {
    if case .over = stage {
      elements.removeAll()
      if let problem = limit.problem { throw problem }
      return false
    }
    guard try base.read(into: &elements) else { return false }
    guard case .counting = stage else { return true }
    for index in elements.indices {
      if case .fix(let fix) = elements[index] {
        timeline.advance(to: fix.time)
        if timeline.now.instant.since(.start) >= limit.after {
          elements.removeSubrange(index...)
          stage = .over
          break
        }
      }
      if limit.isLifted(elements[index]) {
        stage = .lifted
        break
      }
    }
    return true
  }
}
