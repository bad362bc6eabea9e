import Whereabouts
package import WhereaboutsModel
package import WhereaboutsReports
package import WhereaboutsStore

/// A plan of the data to erase from a store.
package enum ForgetPlan: Sendable {
  case span(Range<UTCTime>)
  case trip(TripID)
  case events
  case device
  case everything
  case thin(within: Double, Range<UTCTime>?)

  /// Whether the plan thins data, so that the number of erased rows is unknown beforehand.
  package var isThinning: Bool { if case .thin = self { true } else { false } }

  /// Returns the number of records of each kind that the plan erases.
  package func count(in store: OpenStore) async throws -> ForgetCount {
    var count = ForgetCount()
    switch self {
    case .span(let span):
      count.fixes = try store.attempt { try $0.fixCount(of: store.device, in: span) }
      count.visits = try store.attempt { try $0.statedVisitCount(of: store.device, in: span) }
      count.events = try store.attempt { try $0.eventCount(of: store.device, in: span) }
      count.trips = try store.trips().count { trip in
        guard let began = trip.began, let end = trip.ended ?? trip.settledTo ?? trip.began else {
          return false
        }
        return span.contains(began) && span.contains(end)
      }
    case .trip(let id):
      if let message = try store.missingDataMessage() {
        throw CommandError("no trip has the name \(id.rawValue): \(message)")
      }
      _ = try await store.trip(named: id.rawValue)
      count.trips = 1
    case .events: count.events = try store.attempt { try $0.eventCount(of: store.device) }
    case .device: try count.add(store.device, of: store)
    case .everything:
      for device in try store.base.devices() { try count.add(device, of: store) }
      count.isEverything = true
    case .thin: count.isUnknown = true
    }
    if let scope = scope(of: store.device) {
      count.serverRows = try store.attempt { try $0.serverRowCount(in: scope) }
    }
    return count
  }

  /// Returns the scope of the erasure; `nil` for thinning.
  package func scope(of device: DeviceID) -> ErasureScope? {
    switch self {
    case .span(let span): .span(span, of: device)
    case .trip(let id): .trip(id, of: device)
    case .events: .crossings(of: device)
    case .device: .device(device)
    case .everything: .everything
    case .thin: nil
    }
  }
}

/// The number of records to erase.
package struct ForgetCount: Hashable, Sendable {
  package var fixes = 0
  /// The visits that recordings state.
  package var visits = 0
  package var events = 0
  package var trips = 0
  package var fences = 0
  /// The rows of the server: tokens, privacy zones, rejected rows and shared fences.
  var serverRows = 0
  /// Whether the number is unknown beforehand.
  var isUnknown = false
  /// Whether the plan also erases uncounted data such as settings and queues.
  var isEverything = false

  package init(
    fixes: Int = 0, visits: Int = 0, events: Int = 0, trips: Int = 0, fences: Int = 0, serverRows: Int = 0,
    isUnknown: Bool = false, isEverything: Bool = false
  ) {
    self.fixes = fixes
    self.visits = visits
    self.events = events
    self.trips = trips
    self.fences = fences
    self.serverRows = serverRows
    self.isUnknown = isUnknown
    self.isEverything = isEverything
  }

  /// Adds all records of a device. The fences of a server are rows of the server.
  fileprivate mutating func add(_ device: DeviceID, of store: OpenStore) throws {
    let kept = try store.summary(of: device)
    fences += try store.attempt { try $0.ownFenceCount(of: device) }
    fixes += kept.fixes.values.reduce(0, +)
    visits += kept.statedVisits
    events += kept.crossings
    trips += kept.trips
  }

  package var isEmpty: Bool { !isUnknown && !isEverything && counted == 0 }

  /// The number of all counted records; 0 if the number is unknown beforehand.
  package var counted: Int { fixes + visits + events + trips + fences + serverRows }

  /// The text: `671 fixes, 8 events, 1 trip`.
  package var text: String {
    var parts: [String] = []
    if fixes > 0 || counted == 0 { parts.append(Quantities.count(fixes, "fix", "fixes")) }
    if visits > 0 { parts.append(Quantities.count(visits, "stated visit")) }
    if events > 0 { parts.append(Quantities.count(events, "event")) }
    if trips > 0 { parts.append(Quantities.count(trips, "trip")) }
    if fences > 0 { parts.append(Quantities.count(fences, "fence")) }
    if serverRows > 0 {
      parts.append(Quantities.count(serverRows, "row of the server", "rows of the server"))
    }
    return isUnknown ? "" : parts.joined(separator: ", ")
  }

  /// Asks whether to erase.
  ///
  /// - Throws: an error if the answer is no, or if nobody can answer.
  package func confirm() throws(CommandError) {
    let erased = text.isEmpty ? "some fixes" : text
    guard System.isTerminal(0), System.isTerminal(System.standardError) else {
      throw CommandError("would erase \(erased) permanently. Pass --yes to confirm.", code: .usage)
    }
    StandardError.write("Erase \(erased) permanently? [y/N] ".sanitizedToOneLine)
    let answer = readLine()?.lowercased() ?? ""
    guard answer == "y" || answer == "yes" else { throw CommandError("erased nothing: not confirmed") }
  }

  package func json(isDone: Bool) -> JSONObject {
    var line = JSONObject()
    line.add("forgotten", isDone)
    line.add("fixes", fixes)
    line.add("visits", visits > 0 ? visits : nil)
    line.add("events", events)
    line.add("trips", trips)
    line.add("fences", fences)
    line.add("serverRows", serverRows > 0 ? serverRows : nil)
    return line
  }
}

extension OpenStore {
  /// Erases the data of a plan.
  ///
  /// - Returns: the number of erased rows.
  package func forget(_ plan: ForgetPlan, progress meter: ErasureMeter) throws(CommandError) -> Int {
    func show(_ progress: UpkeepProgress) -> Bool {
      meter.show(progress)
      return true
    }
    do throws(StoreError) {
      if case .thin(let error, let span) = plan {
        return try base.thin(device, in: span, error: error, progress: show)
      }
      guard let scope = plan.scope(of: device) else { return 0 }
      return try base.forget(scope, progress: show)
    } catch {
      throw Self.erasingError(error, of: path)
    }
  }

  /// Claims this device, or all devices, so that no process can record meanwhile.
  package func claimAll(_ all: Bool) throws(CommandError) -> [DeviceClaim] {
    do throws(StoreError) {
      let devices = all ? try base.devices() : [device]
      var claims: [DeviceClaim] = []
      for device in devices { claims.append(try base.claim(device, as: "whereabouts forget")) }
      return claims
    } catch {
      var failure = CommandError(error)
      if error.code == .locked, let server = LockFile.server(of: base),
        error.message.contains("\(server) (")
      {
        failure.message += """
          , or let this server erase: `DELETE /api/v1/devices/ID`, or `DELETE /api/v1/devices/ID/fixes?from=TIME&to=TIME`
          """
      }
      throw failure
    }
  }
}

/// The progress of an erasure on a terminal.
package final class ErasureMeter {
  private let isShown: Bool
  private var isVisible = false

  package init(isWanted: Bool) { isShown = isWanted && System.isErasableTerminal(System.standardError) }

  package func show(_ progress: UpkeepProgress) {
    guard isShown else { return }
    isVisible = true
    let what = progress.phase == .erasing ? "erasing" : "giving room back"
    let share = "\((min(max(progress.share, 0), 1) * 100).fixed(0)) %"
    StandardError.showProgress("\(what) \(share)  \(Quantities.count(progress.erased, "row"))")
  }

  /// Erases the progress line.
  package func end() {
    if isVisible { StandardError.eraseProgress() }
    isVisible = false
  }

  // Also erases the line if an error ended the work.
  deinit { end() }
}
