import WhereaboutsModel
import WhereaboutsGeodesy

extension NMEADecoder {
  /// Begins a sentence with a position; ends the current instant if the sentence is of another.
  @inline(__always)
  mutating func beginSentence(
    _ kind: SentenceKind, at time: TimeOfDay?, isValid: Bool, into batch: inout RecordingBatch
  ) {
    if let time {
      if epoch.time != nil {
        if !epoch.isOpen(at: time) {
          closeEpoch(into: &batch)
        } else if epoch.sentences.contains(kind.bit) {
          statistics.repeatedPositions &+= 1
        }
      }
      epoch.time = time
      // Receivers without a fix may state any time.
      if isValid { epoch.day = clock.day(at: time) }
    } else if epoch.time == nil, epoch.sentences.contains(kind.bit) {
      // Without times, the same type again is another instant.
      closeEpoch(into: &batch)
    }
    epoch.sentences.insert(kind.bit)
  }

  /// Ends a sentence of the current instant.
  @inline(__always)
  mutating func endSentence(_ kind: SentenceKind, into batch: inout RecordingBatch) {
    guard options.endsEpochsEarly else { return }
    if cycle.isEnded(by: kind, isEmitted: epoch.isEmitted) { emitEpoch(into: &batch) }
  }

  /// Closes the instant, because another one has begun.
  @inline(never)
  private mutating func closeEpoch(into batch: inout RecordingBatch) {
    emitEpoch(into: &batch)
    cycle.close()
    epoch = Epoch()
  }

  /// Gives the current instant's fix, if not given yet.
  mutating func emitEpoch(into batch: inout RecordingBatch) {
    guard !epoch.isEmitted else { return }
    epoch.isEmitted = true
    guard !epoch.isDenied else {
      statistics.epochsWithoutFix &+= 1
      recentValues.clearSolution()
      return
    }
    recentValues.update(from: epoch)
    epoch.appendFix(to: &batch.elements, held: recentValues, rangingErrors: options.rangingErrors)
  }
}
