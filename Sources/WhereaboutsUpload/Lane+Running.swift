import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

extension Lane {
  /// Sends until the task is cancelled or the endpoint is gone.
  ///
  /// - Parameter pace: how often is looked for something new.
  mutating func run(pace: Duration, named name: String) async {
    let clock = sender.clock
    while !Task.isCancelled {
      var wake = clock.now.advanced(by: pace)
      do {
        switch try await step() {
        case .did: continue
        case .gone: return
        case .waits(let until): wake = min(wake, until ?? wake)
        // Also while it waits somebody may ask, or take the endpoint away.
        case .failed(_, let until): wake = min(wake, until)
        case .stopped: break
        }
      } catch let trouble as StoreTrouble {
        tell(UploadNews(endpoint: name, event: .storeTrouble(trouble)))
        wake = clock.now.advanced(by: pace * 10)
      } catch {
        return
      }
      do { try await clock.sleep(until: wake) } catch { return }
    }
  }
}
