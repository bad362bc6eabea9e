import Whereabouts
import WhereaboutsCore
import WhereaboutsStore

/// What is to be erased of a store.
enum ForgetPlan: Sendable {
  case span(Range<UTCTime>)
  case trip(TripID)
  case events
  case device
  case everything
  case thin(within: Double, Range<UTCTime>?)

  /// Whether it can't be told beforehand how much goes.
  var isThinning: Bool { if case .thin = self { true } else { false } }

  /// How much of what goes.
  func count(in store: OpenStore) async throws -> ForgetCount {
    var count = ForgetCount()
    switch self {
    case .span(let span):
      try store.fixes(in: span, all: true) { _ in count.fixes += 1 }
      count.events = try await store.toldEvents().count { $0.news == .new && span.contains($0.time) }
      count.trips = try store.trips().count { trip in
        guard let began = trip.began, let end = trip.ended ?? trip.settledTo ?? trip.began else {
          return false
        }
        return span.contains(began) && span.contains(end)
      }
    case .trip(let id):
      _ = try store.trip(named: id.rawValue)
      count.trips = 1
    case .events: count.events = try await store.toldEvents().count { $0.news == .new }
    case .device: count.add(try store.summary(of: store.device), fences: try store.fences().count)
    case .everything:
      for device in try store.base.devices() {
        let other = OpenStore(base: store.base, path: store.path, device: device)
        count.add(try other.summary(of: device), fences: try other.fences().count)
      }
      count.isEverything = true
    case .thin: count.isUnknown = true
    }
    return count
  }
}

/// How much is forgotten.
struct ForgetCount: Hashable, Sendable {
  var fixes = 0
  var events = 0
  var trips = 0
  var fences = 0
  /// Whether that is not known beforehand.
  var isUnknown = false
  /// Whether there may be more than that: settings, queues.
  var isEverything = false

  /// Adds all that is kept of a device.
  mutating func add(_ kept: DeviceSummary, fences: Int) {
    fixes += kept.fixes.values.reduce(0, +)
    events += kept.crossings
    trips += kept.trips
    self.fences += fences
  }

  var isNothing: Bool { !isUnknown && !isEverything && fixes + events + trips + fences == 0 }

  /// `671 fixes, 8 events, 1 trip`
  var text: String {
    var parts: [String] = []
    if fixes > 0 || fixes + events + trips + fences == 0 {
      parts.append(Quantities.count(fixes, "fix", "fixes"))
    }
    if events > 0 { parts.append(Quantities.count(events, "event")) }
    if trips > 0 { parts.append(Quantities.count(trips, "trip")) }
    if fences > 0 { parts.append(Quantities.count(fences, "fence")) }
    return isUnknown ? "" : parts.joined(separator: ", ")
  }

  func json(isDone: Bool) -> JSONObject {
    var line = JSONObject()
    line.add("forgotten", isDone)
    line.add("fixes", fixes)
    line.add("events", events)
    line.add("trips", trips)
    line.add("fences", fences)
    return line
  }
}

extension OpenStore {
  /// Erases it.
  ///
  /// - Returns: how many rows went.
  func forget(_ plan: ForgetPlan, telling meter: UpkeepMeter) throws(CommandFailure) -> Int {
    func show(_ progress: UpkeepProgress) -> Bool {
      meter.show(progress)
      return true
    }
    do throws(StoreTrouble) {
      switch plan {
      case .span(let span): return try base.forget(.span(span, of: device), progress: show)
      case .trip(let id): return try base.forget(.trip(id, of: device), progress: show)
      case .events: return try base.forget(.crossings(of: device), progress: show)
      case .device: return try base.forget(.device(device), progress: show)
      case .everything: return try base.forget(.everything, progress: show)
      case .thin(let error, let span): return try base.thin(device, in: span, error: error, progress: show)
      }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Sees that nobody watches meanwhile: for this device, or for any.
  func claimAll(_ all: Bool) throws(CommandFailure) -> [DeviceClaim] {
    do throws(StoreTrouble) {
      let devices = all ? try base.devices() : [device]
      var claims: [DeviceClaim] = []
      for device in devices { claims.append(try base.claim(device, as: "whereabouts forget")) }
      return claims
    } catch {
      throw CommandFailure(error)
    }
  }
}

/// Shows on a terminal how far it is with erasing.
final class UpkeepMeter {
  private let isShown: Bool
  private var isThere = false

  init(isWanted: Bool) { isShown = isWanted && System.isTerminal(System.standardError) }

  func show(_ progress: UpkeepProgress) {
    guard isShown else { return }
    isThere = true
    let what = progress.phase == .erasing ? "erasing" : "giving room back"
    let share = "\((min(max(progress.share, 0), 1) * 100).fixed(0)) %"
    StandardError.write("\r\u{1B}[K\(what) \(share)  \(progress.erased.grouped) rows")
  }

  /// Nothing of the line is left on the terminal.
  func end() {
    if isThere { StandardError.write("\r\u{1B}[K") }
    isThere = false
  }

  // Whatever ended the work.
  deinit { end() }
}
