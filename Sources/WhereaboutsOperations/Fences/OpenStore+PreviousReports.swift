import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

extension OpenStore {
  /// Returns the earlier reports and the number of the last record.
  package func previousReports() async throws(CommandError) -> FenceSession.PreviousReports {
    var before = FenceSession.PreviousReports()
    do throws(StoreError) {
      let cursor = try await base.cursor(of: FenceEventPrinter.consumer, device: device)
      // Recent events may still be revised.
      let start = cursor > Self.pageSize ? cursor - Self.pageSize : 0
      before.lastNumber = try await readFenceRecords(after: start) { record in
        _ = before.builder.event(of: record)
        if case .removed = record { before.hasEndedFence = true }
      }
    } catch {
      throw CommandError(error)
    }
    return before
  }
}
