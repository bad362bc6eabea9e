import Whereabouts

/// The state of the app's one screen: the search for a location, the fences made here, the last exits, and the reasons.
///
/// The model knows no framework of Apple's, so it is built and tested on Linux. The screen reads it after each call of
/// ``onChange``.
@MainActor final class FenceHereModel {
  /// The search's state, for the title and the status line.
  enum Search: Hashable {
    case idle
    case searching
    case found(accuracy: Double)
    case failed(String)
  }

  /// An exit from a fence that was made here.
  struct Exit: Hashable, Identifiable {
    let id: UInt64
    let fence: String
    let time: UTCTime
    /// The time's standard deviation in seconds.
    let uncertainty: Double
  }

  /// Shows the person a notification, in place of an earlier one with the same identifier.
  typealias Notify = @MainActor (_ identifier: String, _ text: String) async -> Void

  private(set) var search = Search.idle
  private(set) var location: Coordinate?
  /// The answer to "fence here", or to a failure; `nil` before.
  private(set) var message: String?
  private(set) var fences: [String] = []
  /// The reason why fences are not watched, or not in time, with its remedy; `nil` while they are watched.
  private(set) var warning: String?
  /// The last exits, the newest first, also those of earlier launches.
  private(set) var exits: [Exit] = []
  /// The last decisions, the newest first.
  private(set) var reasons: [String] = []
  /// Called after each change.
  var onChange: () -> Void = {}

  static let timeout = Duration.seconds(30)
  /// The time without a better location, at one place, after which a search ends.
  static let settlingTime = Duration.seconds(5)
  static let fenceRadius = 50.0
  static let kept = 20

  private let manager: LocationManager
  private let notify: Notify
  private var request: LocationRequest?
  /// The numbers of the last reading of the fences that has begun, and of the one that is shown.
  private var reading = (begun: 0, shown: 0)

  init(_ manager: LocationManager, notify: @escaping Notify = { _, _ in }) {
    self.manager = manager
    self.notify = notify
  }

  /// Follows the fences, the status and the decisions until the task is cancelled, and notifies the person.
  func run() async {
    await withTaskGroup(of: Void.self) { tasks in
      tasks.addTask { await self.followStore() }
      tasks.addTask { await self.followExits() }
      tasks.addTask { await self.sendNotifications() }
      tasks.addTask { await self.followStatus() }
      tasks.addTask { await self.followReasons() }
    }
  }

  // MARK: The search

  var isSearching: Bool { search == .searching }

  var statusLine: String {
    switch search {
    case .idle: "Tap start to search."
    case .searching where location != nil: "Searching for a better location…"
    case .searching: "Searching…"
    case .found(let accuracy): "Found, within \(Int(accuracy.rounded())) m."
    case .failed(let reason): reason
    }
  }

  /// Starts the search, or stops it.
  func toggleSearch() async {
    if let request {
      request.cancel()
      return
    }
    let request = manager.request(.house, timeout: Self.timeout, settlingAfter: Self.settlingTime)
    self.request = request
    search = .searching
    onChange()
    for await progress in request.progress {
      switch progress {
      case .searching: break
      case .found(let answer): location = answer.fix.coordinate
      case .ended(let outcome): end(with: outcome)
      }
      onChange()
    }
    self.request = nil
  }

  private func end(with outcome: RequestOutcome) {
    if let answer = outcome.answer { location = answer.fix.coordinate }
    let accuracy = outcome.answer?.fix.horizontalAccuracy
    switch outcome {
    case .reached, .settled, .completedEarly: search = .found(accuracy: accuracy ?? 0)
    case .timedOut(.some), .sourceEnded(.some): search = .found(accuracy: accuracy ?? 0)
    case .timedOut(nil), .sourceEnded(nil):
      search = .failed("No location found. Go where the sky can be seen.")
    case .cancelled: search = accuracy.map { .found(accuracy: $0) } ?? .idle
    case .unauthorized(let authorization):
      search = .failed(authorization.remedy ?? "Location is not allowed for this app.")
    case .sourceFailed(let problem, _): search = .failed(problem.remedy ?? "Could not \(problem.message).")
    }
  }

  // MARK: Fences

  /// Makes a circle of 50 m around the best location of the last half minute. Its exit is reported, and ends the fence.
  /// An older location is not here: the device may have left it.
  func fenceHere() async {
    let used = Set(fences + exits.map(\.fence))
    var number = fences.count + 1
    while used.contains("Fence \(number)") { number += 1 }
    let name = "Fence \(number)"
    do throws(Fences.HereError) {
      let terms = FenceTerms(notify: [.exit], once: true)
      try await manager.fences.addHere(FenceID(name), radius: Self.fenceRadius, terms: terms)
      message =
        await needsAlways ? "\(name) is watched only while the app is open: allow location always." : nil
    } catch {
      message = Self.text(error, of: name)
    }
    await readFences()
  }

  /// Reads the names of the fences from the manager, which also watches fences that it could not store yet.
  private func readFences() async {
    reading.begun += 1
    let number = reading.begun
    let names = await manager.fences.all.map(\.id.name)
    // A later reading may have been faster.
    if number > reading.shown {
      reading.shown = number
      fences = names
    }
    onChange()
  }

  private static func text(_ error: Fences.HereError, of name: String) -> String {
    if case .failed(.storeFailed) = error { return "\(name) is watched, but not stored yet: \(error)." }
    guard case .noFix(let failure) = error else { return "\(name) could not be made: \(error)." }
    if case .unauthorized(let authorization) = failure.outcome {
      return authorization.remedy ?? "Location is not allowed for this app."
    }
    return failure.best == nil
      ? "There is no location yet. Tap start first."
      : "The location is too old or not accurate enough. Tap start again."
  }

  private var needsAlways: Bool {
    get async { await manager.status.authorization.status == .whenInUse }
  }

  func remove(_ name: String) async {
    try? await manager.fences.remove(FenceID(name))
    await readFences()
  }

  private func followStore() async {
    // The fences of earlier launches are there once the store can be opened.
    for await _ in manager.storeHealth { await readFences() }
  }

  private func followExits() async {
    // The records stay in the store: a launch shows the exits of earlier ones, too.
    for await update in manager.fences.updates() {
      if case .record(let record) = update, case .revised(let id, _) = record.record {
        exits.removeAll { $0.id == id.number }
      }
      if let event = update.event, event.kind == .exit {
        let exit = Exit(
          id: event.id.number, fence: event.fence.name, time: event.time, uncertainty: event.timeUncertainty)
        exits = Array((exits + [exit]).sorted { $0.id > $1.id }.prefix(Self.kept))
      }
      if case .storeFailed(let error) = update { message = "An event could not be stored: \(error)" }
      if case .record(let record) = update, case .removed = record.record { await readFences() }
      onChange()
    }
  }

  /// Notifies the person of each exit, also of one that an earlier process did not notify of, and of a reason why fences
  /// are not watched. A missing position is no such reason: the next wake may have one.
  private func sendNotifications() async {
    for await update in manager.fences.updates(for: "notifications") {
      switch update {
      case .record(let record):
        guard case .event(let event) = record.record, event.kind == .exit else { break }
        await notify("exit \(event.id.number)", "You have left \(event.fence.name).")
      case .authorization(let authorization) where authorization.isRefused:
        await notify(of: ServiceStatus(authorization: authorization))
      case .problem(let problem) where ![.noPosition, .unreachable].contains(problem.code):
        await notify(of: ServiceStatus(authorization: Authorization(.always), source: .unavailable(problem)))
      case .authorization, .problem, .storeFailed, .storeRecovered: break
      }
      guard let number = update.number else { continue }
      // If the store fails, the next process notifies again, under the same identifier.
      try? await manager.fences.acknowledge(through: number, by: "notifications")
    }
  }

  private func notify(of status: ServiceStatus) async {
    if let text = Self.warning(of: status) { await notify("warning", text) }
  }

  private func followStatus() async {
    for await status in manager.statuses {
      warning = Self.warning(of: status)
      onChange()
    }
  }

  /// Returns the reason why fences are not watched, or not in time, with its remedy; `nil` if they are.
  static func warning(of status: ServiceStatus) -> String? {
    let authorization = status.authorization
    guard !authorization.isRefused else {
      return "Fences are not watched. " + (authorization.remedy ?? "Allow location for this app.")
    }
    switch status.source {
    case .working, .ended(nil): break
    case .unavailable(let problem), .failed(let problem), .ended(let problem?):
      return "Fences are not watched for now. " + (problem.remedy ?? "Could not \(problem.message).")
    }
    if authorization.status == .whenInUse {
      return "Fences are watched only while the app is open. Allow location always."
    }
    guard authorization.accuracy == .reduced else { return nil }
    return "Fences are noticed late, if at all. " + (authorization.remedy ?? "Allow the precise location.")
  }

  // MARK: Reasons

  private func followReasons() async {
    for await entry in manager.decisions() {
      guard let reason = Self.text(entry.decision) else { continue }
      reasons = Array(([reason] + reasons).prefix(Self.kept))
      onChange()
    }
  }

  /// Returns a decision's line on the screen; `nil` for one that explains nothing there.
  static func text(_ decision: Decision) -> String? {
    switch decision {
    case .refused(_, let refusal): "A location was not used: \(refusal.reason.rawValue)."
    case .demandChanged(_, let demand, _): "The receiver is \(demand.fixes == .off ? "off" : "on")."
    case .fencePower(let power): "Fences: \(power.reason.rawValue)."
    case .wakeRegionsChanged(let count, let isCrowded):
      "\(count) regions can wake the app\(isCrowded ? "; more fences are near" : "")."
    case .authorizationChanged(_, let authorization): "Permission: \(authorization.status)."
    default: nil
    }
  }
}
