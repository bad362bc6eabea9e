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
  private let core: ServerCore
  private let gate: RequestGate
  private let bodyRefusals = HourlyLogLimit<AccessToken.ID>()
  /// The statuses of bodies that are refused each time.
  private static let refusals: Set<HTTPResponse.Status> = [.contentTooLarge, .unsupportedMediaType]

  init(_ core: ServerCore) {
    self.core = core
    gate = RequestGate(core.liveLimits) { $0.ingestions }
  }

  func add(to router: Router<ServerContext>) {
    for path in ["owntracks", "pub", "overland", "ingest"] {
      router.post(RouterPath(path)) { request, context in try await respond(to: request, context) }
    }
    for path in ["osmand", "gpslogger"] {
      router.get(RouterPath(path)) { request, context in try await respond(to: request, context) }
      router.post(RouterPath(path)) { request, context in try await respond(to: request, context) }
    }
    router.post("api/webhook/:id") { request, context in try await respond(to: request, context) }
    // Traccar Client's standard URL has no path. `GET /` is the page's; see ``hasPosition(_:)``.
    router.post("/") { request, context in try await respondToOsmAnd(request, context) }
  }

  /// Adds the paths of a listener for OsmAnd and Traccar Client only: none, as in their standard URL, and that of the
  /// server's own listener.
  func addOsmAnd(to router: Router<ServerContext>) {
    for path in ["/", "osmand"] {
      router.get(RouterPath(path)) { request, context in try await respondToOsmAnd(request, context) }
      router.post(RouterPath(path)) { request, context in try await respondToOsmAnd(request, context) }
    }
  }

  /// Returns whether the query of a request holds a position, as OsmAnd and Traccar Client send it.
  static func hasPosition(_ request: Request) -> Bool {
    let query = request.uri.queryParameters
    return query["lat"] != nil && query["lon"] != nil || query["location"] != nil
  }

  /// Stores the position of a request of OsmAnd or Traccar Client, whatever its path.
  func respondToOsmAnd(_ request: Request, _ context: ServerContext) async throws -> Response {
    try await respond(to: request, context, as: .osmAnd)
  }

  /// Stores the fixes of a request and returns the acknowledgement that the app expects.
  private func respond(
    to request: Request, _ context: ServerContext, as known: PhoneDialect? = nil
  ) async throws -> Response {
    guard let dialect = known ?? PhoneDialect(path: request.uri.path) else {
      throw Problem(.notFound, "No app sends to this path.")
    }
    let token = try await core.authenticator.token(of: request, context, for: .write)
    return try await gate.run(for: token.id) {
      let body = try await receivedBody(of: request, for: token)
      let message = PhoneRequest(request, body: body)
      var reply: PhoneReply?
      var refusal: Problem?
      let parts = token.device == nil && dialect == .ownTracks ? message.partsByTopic : [message]
      for part in parts {
        do {
          let answer = try await store(part, as: dialect, for: token)
          // Of two devices one may have the server's fences already.
          if answer.body.count > reply?.body.count ?? -1 { reply = answer }
        } catch let problem as Problem where problem.status.kind == .clientError {
          // A device that is refused each time must not hold up the messages of the others.
          refusal = problem
        }
      }
      if let refusal { throw refusal }
      return Response(reply ?? PhoneReply())
    }
  }

  /// Returns the body of a request. The log names a token whose bodies can't be read: its app sends them again and
  /// again, and shows the answer to nobody.
  private func receivedBody(of request: Request, for token: AccessToken) async throws -> [UInt8] {
    do {
      return try await BodyReader(of: .batch, limits: core.limits).bytes(of: request)
    } catch let problem as Problem where Self.refusals.contains(problem.status) {
      if bodyRefusals.claimLine(about: token.id, at: ContinuousClock.now) {
        var metadata: Logger.Metadata = ["tokenID": "\(token.id)", "reason": "\(problem.detail)"]
        if let device = token.device { metadata["device"] = "\(device)" }
        core.logger.warning("fixes of a phone are refused; it may send them again", metadata: metadata)
      }
      throw problem
    }
  }

  /// Stores the fixes of a message and returns the app's acknowledgement.
  private func store(
    _ message: PhoneRequest, as dialect: PhoneDialect, for token: AccessToken
  ) async throws -> PhoneReply {
    let device: DeviceID
    var further: [DeviceID] = []
    if let own = token.device {
      device = own
    } else {
      let stated = dialect.report(from: message)
      device = try self.device(of: stated, in: message)
      further = stated.partsByDevice(of: device.rawValue).compactMap { $0.device.map { DeviceID($0) } }
    }
    let report = core.phones.report(from: message, as: dialect, of: device, further: further)
    do throws(IngestionError) {
      return try await store(
        report, arrival: message.arrival, of: device, for: token, app: message.userAgent)
    } catch {
      throw error.isUnauthorized ? Authenticator.unauthorized() : Problem(error.cause)
    }
  }

  /// Stores a report and returns the app's acknowledgement.
  ///
  /// With a token for every device, a position, a rejected row and a battery belong to the device that they state.
  private func store(
    _ report: PhoneReport, arrival: UTCTime, of device: DeviceID, for token: AccessToken, app: String?
  ) async throws(IngestionError) -> PhoneReply {
    let ingestion = ReportIngestion(core, token: token, app: app)
    let parts = token.device == nil ? report.partsByDevice(of: device.rawValue) : []
    guard parts.count > 1 else { return try await ingestion.store(report, arrival: arrival, of: device) }
    var impossible: Set<DeviceID> = []
    for part in parts {
      let owner = part.device.map { DeviceID($0) } ?? device
      if try !ingestion.accepts(owner) { impossible.insert(owner) }
      if part.device != nil, part.report.fixes.isEmpty, part.report.rejectionCount == 0 {
        // A heartbeat stores nothing.
        if core.batteries.update(part.report, arrival: arrival, of: owner) {
          core.hub.batteryChanged(of: owner)
        }
        continue
      }
      _ = try await ingestion.store(part.report, arrival: arrival, of: owner)
    }
    var whole = report
    _ = whole.rejectFixes {
      ReportIngestion.isEarly($0, arrival: arrival)
        || impossible.contains($0.device.map { DeviceID($0) } ?? device)
    }
    return whole.acceptance()
  }

  /// Returns the device that a request names.
  ///
  /// OwnTracks' phones of two users may have one name. The device of the second one is `USER-DEVICE`, as over MQTT. A
  /// device with a writing token of its own is another phone's as well, whose positions have no user.
  private func device(of report: PhoneReport, in message: PhoneRequest) throws -> DeviceID {
    // A heartbeat or a bad row before the first position may be another device's.
    let ofPosition = report.fixes.lazy.compactMap(\.device).first
    let ofRequest = report.identity.device
    let isOwnOfEach = message.device == nil && report.fixes.allSatisfy { $0.device != nil }
    let stated = isOwnOfEach ? ofPosition ?? ofRequest : ofRequest ?? ofPosition
    guard let name = stated ?? report.identity.user, !name.isEmpty else {
      // Rows that can't be read state no name either, and the app would send them for ever. They are set aside without a
      // device.
      if report.fixes.isEmpty, report.ciphertexts.isEmpty, report.rejectionCount > 0 { return DeviceID("") }
      throw Problem(
        .badRequest, "The token is for every device, and the request names none. Use a token of one device.")
    }
    guard report.dialect == .ownTracks, let user = report.identity.user, !user.isEmpty else {
      return DeviceID(name)
    }
    var devices = [DeviceID(name)]
    if let stated { devices.append(DeviceID("\(user)-\(stated)")) }
    devices = try devices.filter { try core.store.accepts($0) }
    // The positions of a device that the store can't have are set aside.
    guard !devices.isEmpty else { return DeviceID(name) }
    guard
      let choice = try core.store.device(
        ofPhone: stated ?? "", of: user, among: devices, besides: devices.filter(core.tokens.hasWriter),
        claims: !report.fixes.isEmpty || !report.ciphertexts.isEmpty)
    else {
      throw Problem(.conflict, "Other phones have the names of this one. Use a token of one device.")
    }
    // The page shows a further device, and nothing on the phone tells why.
    if choice.isNew, choice.device != devices[0] {
      core.logger.notice(
        """
        a phone's device has the name of the user, too: another phone has the phone's name, or the device has a \
        token or data from an import
        """, metadata: ["device": "\(choice.device)", "phone": "\(devices[0])"])
    }
    return choice.device
  }
}

extension PhoneRequest {
  fileprivate init(_ request: Request, body: [UInt8]) {
    self.init(
      query: request.uri.query ?? "", contentType: request.headers[.contentType],
      userAgent: request.headers[.userAgent],
      user: request.headers[.ownTracksUser], basicUser: Authenticator.user(of: request),
      device: request.headers[.ownTracksDevice], body: body, arrival: .now)
  }
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
