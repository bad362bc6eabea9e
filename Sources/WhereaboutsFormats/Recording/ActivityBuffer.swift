import WhereaboutsModel

/// A buffer of elements whose fixes get their activity from a later part of the recording.
struct ActivityBuffer: Sendable {
  private let capacity: Int
  /// The elements since the first fix without an activity.
  private var elements: [RecordingElement] = []

  /// - Parameter capacity: the number of elements that are passed on without waiting any longer.
  init(capacity: Int) { self.capacity = capacity }

  /// Moves the elements of a batch from an index on into the buffer, if others wait or one is a fix without an activity.
  ///
  /// - Returns: whether one is.
  @discardableResult
  mutating func hold(from start: Int, in batch: inout RecordingBatch) -> Bool {
    guard batch.elements.count > start else { return false }
    let hasUnstated = batch.elements[start...].contains { element in
      if case .fix(let fix) = element { fix.activity == nil } else { false }
    }
    guard hasUnstated || !elements.isEmpty else { return false }
    if batch.elements.count == start + 1 {
      // Nearly always: moved, and not copied.
      elements.append(batch.elements.removeLast())
    } else {
      elements += batch.elements[start...]
      batch.elements.removeSubrange(start...)
    }
    if elements.count >= capacity { release(into: &batch) }
    return hasUnstated
  }

  /// States an activity of the time between two instants, or without a bound. Fixes with an activity keep theirs.
  mutating func state(_ activity: Fix.StatedActivity, from start: UTCTime?, until end: UTCTime?) {
    for index in elements.indices {
      guard case .fix(var fix) = elements[index], fix.activity == nil, let time = fix.time,
        start.map({ $0 <= time }) ?? true, end.map({ time <= $0 }) ?? true
      else { continue }
      fix.activity = activity
      elements[index] = .fix(fix)
    }
  }

  /// Passes all elements on.
  mutating func release(into batch: inout RecordingBatch) {
    if batch.elements.isEmpty {
      // The buffers take turns, so that neither is copied nor grows again.
      swap(&batch.elements, &elements)
    } else {
      batch.elements += elements
      elements.removeAll(keepingCapacity: true)
    }
  }
}
