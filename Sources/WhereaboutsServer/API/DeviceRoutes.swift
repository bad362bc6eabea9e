import Foundation
import HTTPTypes
import Hummingbird
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The paths that read devices: their list, their fixes, crossings and trips.
struct DeviceRoutes: Sendable {
  private static let defaultPage = 1_000
  private static let largestPage = 10_000
  /// The pause of a wait after a fix that does not end it, and between two checks of its token.
  private static let pause = Duration.seconds(1)

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.read("devices") { request, context in try await list(request, context) }
    api.read("devices/:device/fix") { request, context in try await fix(request, context) }
    api.read("devices/:device/fixes") { request, context in try await fixes(request, context) }
    api.read("devices/:device/crossings") { request, context in try await crossings(request, context) }
    api.read("devices/:device/trips") { request, context in try await trips(request, context) }
    api.read("devices/:device/trips/:trip") { request, context in try await trip(request, context) }
    api.read("devices/:device/fences") { request, context in try await fenceStates(request, context) }
    api.read("devices/:device/receiver") { request, context in try await receiver(request, context) }
    api.read("devices/:device/rejected") { request, context in try await rejected(request, context) }
    addExplanations(to: api)
    addTrial(to: api)
    addDays(to: api)
  }

  private static func device(_ context: ServerContext) throws -> DeviceID {
    let name = try context.parameters.require("device")
    guard let plain = name.removingPercentEncoding, !plain.isEmpty else { throw Problem.noSuchDevice }
    return DeviceID(plain)
  }

  /// Returns the device of a request and the rules of its reader.
  ///
  /// - Throws: ``Problem`` 404 also for a device that does not exist.
  func reader(
    _ request: Request, _ context: ServerContext
  ) async throws -> (DeviceID, Disclosure) {
    let device = try Self.device(context)
    let disclosure = try await core.authenticator.disclosure(of: request, context, for: device)
    guard try core.store.contains(device) else { throw Problem.noSuchDevice }
    return (device, disclosure)
  }

  /// Returns the device of a request to its owner.
  ///
  /// - Parameter matter: the part of the device's data that the owner alone may see, for the message.
  /// - Throws: ``Problem`` 403 for a reader who is not the device's owner.
  func owner(
    _ request: Request, _ context: ServerContext, of matter: String
  ) async throws -> (DeviceID, Disclosure) {
    let (device, disclosure) = try await reader(request, context)
    guard disclosure.isOwner(of: device) else {
      throw Problem(.forbidden, "Only the device's own token and an administrator may see \(matter).")
    }
    return (device, disclosure)
  }

  // MARK: Devices

  private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    let disclosure = core.authenticator.disclosure(for: token)
    let devices = try core.storedDevices().filter { disclosure.mayRead($0) }
    let entries = try devices.map { (device: $0, last: try core.store.lastFix(of: $0)) }
    let now = UTCTime.now
    return .json { body in
      body.appendJSONMember("devices", entries) { body, entry in
        body.appendJSONObject {
          $0.appendJSONMember("id", entry.device.rawValue)
          guard let fix = entry.last?.fix.fix, let time = fix.time,
            disclosure.newestFix(fix, of: entry.device) != nil
          else { return }
          $0.appendJSONMember("lastFix", time)
          $0.appendJSONMember("age", max(0, now.seconds(since: time)).rounded())
        }
      }
    }
  }

  // MARK: The current fix

  private func fix(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await reader(request, context)
    let query = QueryReader(request), hidden = "The device has no fix that the token may see."
    // The duration of the answer would show whether the device sends fixes now.
    guard disclosure.mayReadBeyondJourney(device) else { throw Problem(.notFound, hidden) }
    let fix: Fix
    if let wanted = try FixRequest(query, limit: core.limits.longestWait) {
      let reader = disclosure.reader
      fix = try await core.waits.run(for: reader.id) {
        try await context.runWhileClientWaits { try await answer(wanted, of: device, to: reader) }
      }
    } else {
      guard let last = try await core.lastFix(of: device) else {
        throw Problem(.notFound, "The device has no fix yet.")
      }
      guard let shown = disclosure.newestFix(last, of: device) else { throw Problem(.notFound, hidden) }
      fix = shown
    }
    let age = fix.time.map { max(0, UTCTime.now.seconds(since: $0) * 1000).rounded() / 1000 }
    return .json {
      $0.appendJSONMembers(of: fix, device: device)
      $0.appendJSONMember("age", age)
    }
  }

  /// Waits for a fix of the wanted accuracy that the reader may see.
  ///
  /// Otherwise the moment of the answer would show when a withheld fix arrives, and its status the exact accuracy of a
  /// coarse fix. A wait for exact fixes therefore ignores those on a grid, and each grid has a wait of its own.
  private func answer(
    _ wanted: FixRequest, of device: DeviceID, to reader: AccessToken
  ) async throws -> Fix {
    let session = await core.devices.retain(device)
    defer { Task { await core.devices.release(session) } }
    // An erasure that ended before the session was retained does not end this wait.
    guard try core.store.contains(device) else { throw Problem.noSuchDevice }
    let end = ContinuousClock.now + wanted.timeout
    let grids = core.authenticator.disclosure(for: reader).gridSizes(of: device)
    let shown = try await withThrowingTaskGroup(of: Fix?.self) { group -> Fix? in
      defer { group.cancelAll() }
      for grid in grids {
        group.addTask { try await fix(wanted.level, onGrid: grid, until: end, of: session, to: reader) }
      }
      group.addTask {
        // The moment of a fix must not show in the end of the wait.
        while core.tokens.isValid(reader, at: .now) { try await Task.sleep(for: Self.pause) }
        throw Authenticator.unauthorized()
      }
      for _ in grids {
        if let result = try await group.next(), let fix = result { return fix }
      }
      return nil
    }
    if let shown { return shown }
    guard core.tokens.isValid(reader, at: .now) else { throw Authenticator.unauthorized() }
    throw Problem(.gatewayTimeout, "No fix of the wanted accuracy came in time.")
  }

  /// Waits for a fix that the reader sees on a grid of a size in metres, or exactly if the size is `nil`.
  ///
  /// - Returns: the fix as the reader may see it; `nil` if none came in time.
  private func fix(
    _ wanted: AccuracyLevel, onGrid grid: Double?, until end: ContinuousClock.Instant,
    of session: DeviceSession, to reader: AccessToken
  ) async throws -> Fix? {
    let level = wanted.coarsened(to: grid)
    var left = max(.zero, end - ContinuousClock.now)
    repeat {
      let found: Fix
      switch await session.fix(level, within: left) {
      case .reached(let answer), .settled(let answer): found = answer.fix
      default:
        guard !session.isErasing else {
          throw Problem(.notFound, "Data of the device were erased during the wait.")
        }
        return nil
      }
      // Meanwhile the token may have been revoked, or a zone added.
      let disclosure = core.authenticator.disclosure(for: reader)
      if core.tokens.isValid(reader, at: .now), disclosure.gridSize(of: found, of: session.device) == grid,
        let shown = disclosure.newestFix(found, of: session.device)
      {
        return shown
      }
      left = end - ContinuousClock.now
      try await Task.sleep(for: min(Self.pause, max(.zero, left)))
      left = end - ContinuousClock.now
    } while left > .zero
    return nil
  }

  // MARK: The past

  private func fixes(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await reader(request, context)
    let query = QueryReader(request)
    if let file = try HistoryFile(query) {
      return try file.response(of: device, to: disclosure.reader, core)
    }
    let page = try await core.readWithoutErasures {
      try HistoryPage(query, of: device, in: core.store, disclosure)
    }
    return .json { body in page.append(to: &body) }
  }

  private func crossings(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await reader(request, context)
    let query = QueryReader(request)
    let after = try query.integer("after", in: 0...Int.max) ?? 0
    let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.defaultPage
    let newest = try query.integer("newest", in: 1...Self.largestPage)
    let page = CrossingPage(
      store: core.store, device: device, fences: core.fences.snapshot.registry, disclosure: disclosure)
    let shown = try await core.readWithoutErasures { () async throws -> [CrossingPage.Crossing] in
      try newest.map { try page.newest($0) } ?? page.crossings(after: UInt64(after), limit: limit)
    }
    return .json { body in
      body.appendJSONMember("crossings", shown) { body, crossing in body.append(contentsOf: crossing.json) }
      body.appendJSONMember("last", Int(clamping: shown.last?.number ?? UInt64(after)))
    }
  }

  private func trips(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await reader(request, context)
    let query = QueryReader(request), span = try query.span()
    // A client that reads one page without a limit has the trips of decades.
    let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.largestPage
    let cursor = try query.text("cursor")
    let trips = try await trips(of: device, disclosure).filter { $0.overlaps(span) }
    let page = try TripPage(of: trips, after: cursor, limit: limit)
    return .json { body in page.append(to: &body) }
  }

  /// Returns the trips of a device that a reader may see, as they are now.
  private func trips(of device: DeviceID, _ disclosure: Disclosure) async throws -> [Trip] {
    try await core.trips(of: device).compactMap { disclosure.trip($0, of: device) }
  }

  private func trip(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await reader(request, context)
    let text = try context.parameters.require("trip")
    let id = TripID(text.removingPercentEncoding ?? text)
    let (found, gaps) = try await core.readWithoutErasures { () async throws -> (Trip?, [Trip.Gap]?) in
      let found = try await trips(of: device, disclosure).last { $0.id == id }
      return (found, disclosure.isOwner(of: device) ? try core.store.gaps(of: id, device: device) : nil)
    }
    guard let trip = found else { throw Problem(.notFound, "There is no trip of this name.") }
    return .json { body in
      body.appendJSONKey("trip")
      body.appendJSON(trip)
      guard let gaps else { return }
      body.appendJSONMember("gaps", gaps) { body, gap in body.appendJSON(gap) }
    }
  }

  // MARK: Fences

  private func fenceStates(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "where it is of its fences")
    let wanted = try QueryReader(request).text("fence").map { FenceID($0) }
    let session = await core.devices.retain(device)
    var states: [(fence: FenceID, state: FenceState)] = []
    for fence in await core.fences.fences where wanted.map({ $0 == fence.id }) ?? true {
      guard let state = await session.manager.fences.state(of: fence.id), state.side != .unknown else {
        continue
      }
      states.append((fence.id, state))
    }
    await core.devices.release(session)
    return .json { [states] body in
      body.appendJSONMember("fences", states) { body, entry in
        body.appendJSONObject {
          $0.appendJSONMember("fence", entry.fence.name)
          $0.appendJSONMember("side", entry.state.side.rawValue)
          $0.appendJSONMember("since", entry.state.since)
        }
      }
    }
  }

  private func receiver(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await reader(request, context)
    let query = QueryReader(request)
    let after = UInt64(try query.integer("after", in: 0...Int.max) ?? 0)
    let limit = try query.integer("limit", in: 1...Self.largestPage) ?? Self.defaultPage
    let usages = try core.store.receiverUsages(of: device, in: try query.span())
      .filter { $0.number > after && disclosure.maySeeUsage(from: $0.began, of: device) }
      .sorted { $0.number < $1.number }.prefix(limit)
    return .json { body in
      body.appendJSONMember("usages", usages) { body, usage in body.appendJSON(usage) }
      body.appendJSONMember("last", usages.last?.number ?? after)
    }
  }

  private func rejected(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "its rejected rows")
    let limit = try QueryReader(request).integer("limit", in: 1...Self.largestPage) ?? 100
    let rows = try core.store.rejectedRows(of: device, limit: limit)
    return .json { body in
      body.appendJSONMember("rejected", rows) { body, row in
        body.appendJSONObject {
          $0.appendJSONMember("arrival", row.arrival)
          $0.appendJSONMember("dialect", row.dialect)
          $0.appendJSONMember("place", row.place)
          $0.appendJSONMember("reason", row.reason)
          $0.appendJSONMember("bytes", String(decoding: row.bytes, as: UTF8.self))
          $0.appendJSONMember("base64", row.base64)
        }
      }
    }
  }
}

extension AccuracyLevel {
  /// Returns this level for fixes on a grid: the size of the grid, doubled while it is within this level.
  ///
  /// ``CoarseGrid`` states accuracies by the same doubling. Levels in between would show the exact accuracy of a fix.
  fileprivate func coarsened(to grid: Double?) -> AccuracyLevel {
    guard let grid else { return self }
    var worst = grid
    while worst * 2 <= worstAccuracy { worst *= 2 }
    return AccuracyLevel.custom(worstAccuracy: worst, maxAge: maxAge) ?? self
  }
}

extension Trip {
  /// Returns whether a part of the trip is within a span.
  fileprivate func overlaps(_ span: Range<UTCTime>?) -> Bool {
    guard let span else { return true }
    guard let began else { return false }
    return began < span.upperBound && (ended.map { $0 >= span.lowerBound } ?? true)
  }
}
