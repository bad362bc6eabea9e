import Whereabouts
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsUploadQueue

extension UploadWorker {
  /// The cause of a worker's stop.
  enum StopCause: Sendable {
    /// Nothing to do until an instant or until new data arrives.
    case idle(until: Instant?)
    /// The endpoint or the device was removed.
    case removed
    /// The store could not be read or written.
    case storeFailed(StoreError)
    /// The task was cancelled.
    case cancelled
  }

  /// Builds and sends requests until nothing is left for now.
  mutating func run() async -> StopCause {
    while !Task.isCancelled {
      do {
        switch try await step() {
        case .progressed: continue
        case .removed: return .removed
        case .waiting(let until): return .idle(until: until)
        case .failed(_, let until): return .idle(until: until)
        case .stopped: return .idle(until: nil)
        }
      } catch let problem as StoreError {
        return .storeFailed(problem)
      } catch {
        return .cancelled
      }
    }
    return .cancelled
  }
}
