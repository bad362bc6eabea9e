import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

extension Lane {
  /// How a lane came to rest.
  enum Rest: Sendable {
    /// There is nothing to do until then, or until something comes.
    case idle(until: Instant?)
    /// The endpoint or the device is no more.
    case gone
    /// The store could not be read or written.
    case trouble(StoreTrouble)
    /// The task was cancelled.
    case cancelled
  }

  /// Makes requests and sends them until there is nothing to do for now.
  mutating func work() async -> Rest {
    while !Task.isCancelled {
      do {
        switch try await step() {
        case .did: continue
        case .gone: return .gone
        case .waits(let until): return .idle(until: until)
        case .failed(_, let until): return .idle(until: until)
        case .stopped: return .idle(until: nil)
        }
      } catch let trouble as StoreTrouble {
        return .trouble(trouble)
      } catch {
        return .cancelled
      }
    }
    return .cancelled
  }
}
