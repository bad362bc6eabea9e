import WhereaboutsCore
import WhereaboutsGeodesy

extension NMEADecoder {
  /// A sentence that has a position has come: ends the instant at hand if this one is of another.
  @inline(__always)
  mutating func enter(
    _ kind: SentenceKind, at time: TimeOfDay?, isValid: Bool, into batch: inout RecordingBatch
  ) {
    if let time {
      if epoch.time != nil {
        if !epoch.isOpen(at: time) {
          closeEpoch(into: &batch)
        } else if epoch.sentences.contains(kind.bit) {
          statistics.repetitions &+= 1
        }
      }
      epoch.time = time
      // Receivers without a fix may give any time.
      if isValid { epoch.day = clock.day(at: time) }
    } else if epoch.time == nil, epoch.sentences.contains(kind.bit) {
      // Without times, the same type again is another instant.
      closeEpoch(into: &batch)
    }
    epoch.sentences.insert(kind.bit)
  }

  /// A sentence that says something about the instant at hand was taken.
  @inline(__always)
  mutating func leave(_ kind: SentenceKind, into batch: inout RecordingBatch) {
    guard options.endsEpochsEarly else { return }
    if cycle.isEnded(by: kind, isTold: epoch.isTold) { tellEpoch(into: &batch) }
  }

  /// Another instant has begun.
  @inline(never)
  private mutating func closeEpoch(into batch: inout RecordingBatch) {
    tellEpoch(into: &batch)
    cycle.close()
    epoch = Epoch()
  }

  /// Gives the fix of the instant at hand, if it has one that was not given yet.
  mutating func tellEpoch(into batch: inout RecordingBatch) {
    guard !epoch.isTold else { return }
    epoch.isTold = true
    guard !epoch.isDenied else {
      statistics.instantsWithoutFix &+= 1
      held.forgetSolution()
      return
    }
    held.renew(from: epoch)
    guard let fix = epoch.fix(held: held, rangingErrors: options.rangingErrors) else { return }
    batch.elements.append(.fix(fix))
  }
}
