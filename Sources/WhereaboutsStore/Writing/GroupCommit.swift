import Foundation
import Whereabouts

/// Lets many tasks commit at once: whoever comes when nobody is writing writes, and with its own everything that has
/// queued up meanwhile, as one transaction.
///
/// Who is alone writes on its own thread: to hop to another and back would cost a fifth of a sync. Only one task holds up
/// a thread at a time, for as long as a sync takes or a lock is waited for.
///
/// `isWriting` and `queue` are guarded by `lock`, which is never held while writing or resuming. `write` is called by one
/// task at a time: by the one that has set `isWriting` or has been handed it.
final class GroupCommit: @unchecked Sendable {
  /// How a queued commit goes on.
  private enum Turn: Sendable {
    case done(StoreTrouble?)
    case lead
  }

  private struct Waiting {
    var commit: PreparedCommit
    var continuation: CheckedContinuation<Turn, Never>
  }

  private let lock = NSLock()
  private var isWriting = false
  private var queue: [Waiting] = []
  private let write: @Sendable ([PreparedCommit]) -> [StoreTrouble?]

  /// - Parameter write: writes some as one, and says of each what became of it.
  init(write: @escaping @Sendable ([PreparedCommit]) -> [StoreTrouble?]) { self.write = write }

  func commit(_ commit: PreparedCommit) async throws(StoreTrouble) {
    if !beginsWriting() {
      let turn = await withCheckedContinuation { enqueue(Waiting(commit: commit, continuation: $0)) }
      if case .done(let trouble) = turn {
        if let trouble { throw trouble }
        return
      }
    }
    let others = takeQueue()
    let troubles = write([commit] + others.map(\.commit))
    for (other, trouble) in zip(others, troubles.dropFirst()) {
      other.continuation.resume(returning: .done(trouble))
    }
    handOn()
    if let trouble = troubles.first ?? nil { throw trouble }
  }

  private func beginsWriting() -> Bool {
    lock.withLock {
      if isWriting { return false }
      isWriting = true
      return true
    }
  }

  private func enqueue(_ waiting: Waiting) {
    let leads = lock.withLock {
      if isWriting {
        queue.append(waiting)
        return false
      }
      isWriting = true
      return true
    }
    if leads { waiting.continuation.resume(returning: .lead) }
  }

  private func takeQueue() -> [Waiting] {
    lock.withLock {
      defer { queue = [] }
      return queue
    }
  }

  /// Whoever has come meanwhile and waits longest writes next.
  private func handOn() {
    let next: Waiting? = lock.withLock {
      if queue.isEmpty {
        isWriting = false
        return nil
      }
      return queue.removeFirst()
    }
    next?.continuation.resume(returning: .lead)
  }
}
