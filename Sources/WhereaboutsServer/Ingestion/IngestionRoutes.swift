import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The paths to which phones and trackers send, each in its own words.
struct IngestionRoutes: Sendable {
  /// The time by which a phone's clock may be ahead.
  private static let futureTolerance = Duration.seconds(60)

  private let core: ServerCore
  private let gate: IngestionGate

  init(_ core: ServerCore) {
    self.core = core
    gate = IngestionGate(core.liveLimits)
  }

  func add(to router: Router<ServerContext>) {
    for path in ["owntracks", "pub", "overland", "ingest"] {
      router.post(RouterPath(path)) { request, context in try await respond(to: request, context) }
    }
    for path in ["osmand", "gpslogger"] {
      router.get(RouterPath(path)) { request, context in try await respond(to: request, context) }
      router.post(RouterPath(path)) { request, context in try await respond(to: request, context) }
    }
    // Traccar Client's standard URL has no path.
    router.post("/") { request, context in
      try await respond(to: request, context, as: .osmAnd)
    }
  }

  /// Adds the path of a listener for OsmAnd and Traccar Client only, whose standard URL has no path.
  func addOsmAnd(to router: Router<ServerContext>) {
    router.get("/") { request, context in try await respond(to: request, context, as: .osmAnd) }
    router.post("/") { request, context in try await respond(to: request, context, as: .osmAnd) }
  }

  /// Stores the fixes of a request and returns the app's own answer for "taken".
  private func respond(
    to request: Request, _ context: ServerContext, as known: PhoneDialect? = nil
  ) async throws -> Response {
    guard let dialect = known ?? PhoneDialect(path: request.uri.path) else {
      throw Problem(.notFound, "No app sends to this path.")
    }
    let token = try await core.authenticator.token(of: request, context, for: .write)
    return try await gate.run {
      let body = try await BodyReader(limits: core.limits).bytes(of: request)
      let message = PhoneRequest(request, body: body)
      let report = dialect.report(from: message)
      let device = try device(of: report, token)
      return try await store(report, arrival: message.arrival, of: device)
    }
  }

  /// Returns the device of a request: the token's, or the one that the request names.
  private func device(of report: PhoneReport, _ token: AccessToken) throws(Problem) -> DeviceID {
    if let device = token.device { return device }
    let stated = report.identity.device ?? report.fixes.lazy.compactMap(\.device).first
    guard let name = stated ?? report.identity.user, !name.isEmpty else {
      throw Problem(
        .badRequest, "The token is for every device, and the request names none. Use a token of one device.")
    }
    return DeviceID(name)
  }

  private func store(
    _ report: PhoneReport, arrival: UTCTime, of device: DeviceID
  ) async throws -> Response {
    var report = report
    // No engine can use a position whose time has not come yet.
    let early = report.rejectFixes { $0.time.since(arrival) > Self.futureTolerance }
      .map { PhoneRejection(future: $0, by: $0.time.since(arrival)) }
    try reject(report.rejections + early, of: report.dialect, device, arrival: arrival)
    core.metrics.countRejectedRows(report.rejectionCount)
    let session = await core.devices.retain(device)
    let outcome = await ingest(report.fixes.map(\.timedFix), into: session)
    let reply = await acceptance(of: report, session)
    await core.devices.release(session)
    let result = try outcome.get()
    core.metrics.countFixes(stored: result.stored, repeated: result.repeated)
    if result.stored > 0, let newest = result.newest { core.hub.publish(newest, of: device) }
    return Response(reply)
  }

  private func ingest(_ fixes: [Fix], into session: DeviceSession) async -> Result<IngestionResult, Problem> {
    do throws(IngestionError) {
      return .success(try await session.ingest(fixes))
    } catch {
      core.logger.error("fixes not stored", metadata: ["code": "\(error.cause.code)"])
      return .failure(Problem(error.cause))
    }
  }

  private func reject(
    _ rejections: [PhoneRejection], of dialect: PhoneDialect, _ device: DeviceID, arrival: UTCTime
  ) throws(StoreError) {
    guard !rejections.isEmpty else { return }
    try core.store.append(
      rejections.map { rejection in
        RejectedRow(
          device: device, arrival: arrival, dialect: dialect.rawValue,
          place: "row \(rejection.row + 1), byte \(rejection.byteOffset)", reason: rejection.reason,
          bytes: rejection.bytes)
      })
  }

  /// Returns the app's answer, with the server's fences for OwnTracks where the phone does not have them yet.
  private func acceptance(of report: PhoneReport, _ session: DeviceSession) async -> PhoneReply {
    guard report.dialect == .ownTracks, !report.fixes.isEmpty else { return report.acceptance() }
    let snapshot = await core.fences.snapshot
    guard await session.needsFences(of: snapshot.revision) else { return report.acceptance() }
    return report.acceptance(fences: snapshot.registry.fences)
  }
}

extension PhoneRejection {
  /// Creates the rejection of a position whose time has not come yet.
  fileprivate init(future position: PhoneFix, by ahead: Duration) {
    var bytes: [UInt8] = []
    bytes.appendJSON(position.timedFix)
    self.init(
      kind: .badTime, reason: "the time is \(ahead.components.seconds) s ahead of the server's clock",
      row: position.row, byteOffset: 0, bytes: bytes, byteCount: bytes.count)
  }
}

extension PhoneRequest {
  fileprivate init(_ request: Request, body: [UInt8]) {
    self.init(
      query: request.uri.query ?? "", contentType: request.headers[.contentType],
      userAgent: request.headers[.userAgent],
      user: request.headers.text("X-Limit-U") ?? Authenticator.user(of: request),
      device: request.headers.text("X-Limit-D"), body: body, arrival: .now)
  }
}

extension HTTPFields {
  /// Returns the value of a field; `nil` if it is absent.
  fileprivate func text(_ name: String) -> String? { HTTPField.Name(name).flatMap { self[$0] } }
}

extension Response {
  fileprivate init(_ reply: PhoneReply) {
    var headers = HTTPFields()
    headers[.contentType] = reply.contentType
    self.init(
      status: HTTPResponse.Status(code: reply.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
  }
}
