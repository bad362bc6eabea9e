import Foundation
import Whereabouts

/// A group commit for many tasks: the first task writes its own commit and all queued ones in one transaction.
///
/// A single task writes on its own thread, because a hop to another thread and back would cost a fifth of a sync.
/// Only one task at a time blocks a thread, for the duration of a sync or a lock wait.
///
/// Unchecked: `lock` guards `isWriting` and `queue`, and is never held while writing or resuming. One task at a time
/// calls `write`: the task that set `isWriting` or was handed the turn.
final class GroupCommit: @unchecked Sendable {
  /// The way a queued commit continues.
  private enum Turn: Sendable {
    case done(StoreError?)
    case lead
  }

  private struct WaitingCommit {
    var commit: PreparedCommit
    var continuation: CheckedContinuation<Turn, Never>
  }

  private let lock = NSLock()
  private var isWriting = false
  private var queue: [WaitingCommit] = []
  private let write: @Sendable ([PreparedCommit]) -> [StoreError?]

  /// - Parameter write: writes commits together and returns the error of each, if any.
  init(write: @escaping @Sendable ([PreparedCommit]) -> [StoreError?]) { self.write = write }

  func commit(_ commit: PreparedCommit) async throws(StoreError) {
    if !tryBeginWriting() {
      let turn = await withCheckedContinuation { enqueue(WaitingCommit(commit: commit, continuation: $0)) }
      if case .done(let problem) = turn {
        if let problem { throw problem }
        return
      }
    }
    let others = dequeueAll()
    let problems = write([commit] + others.map(\.commit))
    for (other, problem) in zip(others, problems.dropFirst()) {
      other.continuation.resume(returning: .done(problem))
    }
    passLeadership()
    if let problem = problems.first ?? nil { throw problem }
  }

  private func tryBeginWriting() -> Bool {
    lock.withLock {
      if isWriting { return false }
      isWriting = true
      return true
    }
  }

  private func enqueue(_ waiting: WaitingCommit) {
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

  private func dequeueAll() -> [WaitingCommit] {
    lock.withLock {
      defer { queue = [] }
      return queue
    }
  }

  /// Passes the turn to the task that has waited longest.
  private func passLeadership() {
    let next: WaitingCommit? = lock.withLock {
      if queue.isEmpty {
        isWriting = false
        return nil
      }
      return queue.removeFirst()
    }
    next?.continuation.resume(returning: .lead)
  }
}
