import Whereabouts
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// `whereabouts days --follow`: prints the segments of the last day, and then their changes while fixes are stored.
package struct DaysFollowing: Sendable {
  /// The interval between two checks of the store for new fixes.
  private static let interval = Duration.seconds(1)

  package let reader: DaysReader
  package let json: Bool

  package init(reader: DaysReader, json: Bool) {
    self.reader = reader
    self.json = json
  }

  /// - Parameter duration: the time after which the following ends; `nil` for Ctrl-C alone.
  package func run(for duration: Duration?) async throws {
    let interrupt = try InterruptListener()
    defer { interrupt.end() }
    let events = interrupt.events
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in events {} }
      group.addTask { try await follow() }
      if let duration { group.addTask { try? await Task.sleep(for: duration) } }
      try await group.next()
      group.cancelAll()
    }
  }

  private func follow() async throws {
    guard let store = try await storeWithPast() else { return }
    defer { store.close() }
    var output = try LiveLineWriter(limit: nil)
    let calendar = reader.calendar(stated: try reader.statedOffsets(in: store))
    _ = try DaysReader.places(in: store)
    // As without --follow, the whole past is read if the start of a segment requires it.
    var follower = try store.attempt {
      try PastFollower(of: store.device, in: $0, settings: reader.settings, leadLimit: .max)
    }
    var changes = try store.attempt { _ in try follower.begin() }
    while true {
      for change in changes where try !write(change, calendar, to: &output) { return }
      do { try await Task.sleep(for: Self.interval) } catch { return }
      changes = try store.attempt { _ in
        try follower.read()
        return try follower.changes()
      }
    }
  }

  /// Opens the store once it exists and a device has data: only then the device is known that is followed without
  /// `--device`.
  ///
  /// - Returns: `nil` if the following ends before.
  private func storeWithPast() async throws -> OpenStore? {
    let path = try reader.store.path(), isNew = !path.exists
    var hasReported = isNew
    if isNew { StandardError.print("no store exists at \(path.file) yet: waiting for its first fixes") }
    while true {
      if path.exists {
        do throws(CommandError) {
          let store = try OpenStore.readingPast(reader.store)
          if try store.hasPast() { return store }
          if !hasReported {
            StandardError.print("no fixes are stored in \(path.file) yet: waiting for the first ones")
            hasReported = true
          }
          if reader.store.device != nil { return store }
          store.close()
        } catch {
          // The process that creates the store may not have created its tables yet.
          guard isNew, error.code == .failed else { throw error }
        }
      }
      do { try await Task.sleep(for: Self.interval) } catch { return nil }
    }
  }

  /// - Returns: whether another line can follow.
  private func write(
    _ change: SegmentChange, _ calendar: DayCalendar, to output: inout LiveLineWriter
  ) throws -> Bool {
    if json {
      let object = DaysJSON.object(change, calendar: calendar)
      return try output.write {
        $0.bytes += object.bytes
        $0.bytes.append(UInt8(ascii: "\n"))
      }
    }
    guard let line = DaysText.line(change, calendar: calendar) else { return true }
    return try output.write { $0.bytes.appendText("\(line)\n") }
  }
}
