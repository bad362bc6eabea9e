import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// The stream of server-sent events: fixes as they arrive, and every crossing.
///
/// A crossing has its position in the store as its id. A client that reconnects with `Last-Event-ID` receives every
/// later crossing, and no fix from before. The id of another event is that of the last crossing that the
/// reader may see, or a round position long ago: any other position would show the crossings of others.
///
/// With `segments=yes` the owner of a device receives the changes of its visits, journeys and gaps, too.
struct StreamRoutes: Sendable {
  /// The number of crossings read from the store at once.
  private static let pageSize = 100
  /// The longest duration that a client can ask for, in seconds.
  private static let longestDuration = 86_400.0

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.get("stream") { request, context in try await open(request, context) }
    api.head("stream") { request, context in
      _ = try await terms(of: request, context)
      return Response(
        status: .ok, headers: Self.fields, body: ResponseBody { writer in try await writer.finish(nil) })
    }
  }

  private static let fields: HTTPFields = [
    .contentType: "text/event-stream", .cacheControl: "no-cache",
    // The connection ends with the stream, so no client may use it again.
    .connection: "close",
    // nginx holds events back until some kilobytes have come, unless the response forbids it.
    .accelBuffering: "no",
  ]

  /// The terms of one stream.
  private struct Terms {
    var token: AccessToken
    /// The only device; `nil` for all.
    var device: DeviceID?
    /// The position after which crossings are sent, as the client states it; `nil` for now.
    var stated: UInt64?
    /// The position of the store's last record.
    var last: UInt64
    /// The time after which the server ends the stream; `nil` for never.
    var duration: Duration?
    /// The calendar of the changes of segments; `nil` if they are not sent.
    var segments: DayCalendar?
  }

  private func terms(of request: Request, _ context: ServerContext) async throws -> Terms {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    let query = QueryReader(request)
    let device = try query.text("device").map { DeviceID($0) } ?? token.device
    if let device, !token.allows(.read, of: device) { throw Problem.noSuchDevice }
    return Terms(
      token: token, device: device, stated: try statedPosition(of: request),
      last: try core.store.lastRecordPosition(),
      duration: try query.number("for", in: 0...Self.longestDuration).map { .seconds($0) },
      segments: try segments(query, token, device))
  }

  /// Returns the calendar of the changes of segments; `nil` if they are not requested. For the owner alone, since a
  /// visit shows a person's home.
  private func segments(
    _ query: QueryReader, _ token: AccessToken, _ device: DeviceID?
  ) throws -> DayCalendar? {
    let zone = try query.timeZone("zone")
    guard try query.flag("segments") == true else { return nil }
    guard let device else {
      throw Problem(.badRequest, "segments=yes needs device=: the segments are those of one device.")
    }
    guard core.authenticator.disclosure(for: token).isOwner(of: device) else {
      throw Problem(.forbidden, "Only the device's own token and an administrator may see its segments.")
    }
    return DayCalendar(zone ?? .utc)
  }

  private func open(_ request: Request, _ context: ServerContext) async throws -> Response {
    let terms = try await terms(of: request, context)
    let limit = core.limits.streams
    guard
      let subscription = core.hub.subscribe(device: terms.device, token: terms.token, limit: limit)
    else {
      throw Problem(.tooManyRequests, "Too many event streams are open.", retryAfter: 30)
    }
    let use = SubscriptionUse(subscription, hub: core.hub)
    let client = try await context.clientEndHandler()
    let events = EventWriter(
      device: terms.device, token: terms.token, authenticator: core.authenticator, fences: core.fences,
      store: core.store)
    return Response(
      status: .ok, headers: Self.fields,
      body: ResponseBody { writer in
        core.metrics.streamOpened()
        defer {
          core.metrics.streamClosed()
          core.hub.unsubscribe(use.subscription)
        }
        // Further tasks that read the connection for its end would take as much memory as the rest of the stream.
        client.observe { [hub = core.hub, subscription = use.subscription] in
          hub.unsubscribe(subscription)
          // Otherwise a write to a client that does not read would wait for ever.
          context.closeSoon()
        }
        defer { client.observe(nil) }
        try await run(use.subscription, events, terms, into: &writer)
        try await writer.finish(nil)
        await context.endOutput()
      })
  }

  /// The subscription of a response. It ends with the response at the latest: if the client is gone before the response
  /// begins, the body never runs.
  private final class SubscriptionUse: Sendable {
    let subscription: StreamHub.Subscription
    private let hub: StreamHub

    init(_ subscription: StreamHub.Subscription, hub: StreamHub) {
      self.subscription = subscription
      self.hub = hub
    }

    deinit { hub.unsubscribe(subscription) }
  }

  /// Returns the client's last position; `nil` for a client that wants the crossings from now on.
  private func statedPosition(of request: Request) throws(Problem) -> UInt64? {
    // Checked also where the field counts.
    let after = try QueryReader(request).integer("after", in: 0...Int.max)
    guard let text = request.headers[.lastEventID] else { return after.map { UInt64($0) } }
    guard let position = Int64(text), position >= 0 else {
      throw Problem(.badRequest, "Last-Event-ID must be the id of an earlier event.")
    }
    return UInt64(position)
  }

  private func run(
    _ subscription: StreamHub.Subscription, _ events: EventWriter, _ terms: Terms,
    into writer: inout any ResponseBodyWriter
  ) async throws {
    // Before the end is planned: even a stream of no duration sends every crossing that waits.
    subscription.wake()
    let end = terms.duration.map { duration in
      Task {
        try? await Task.sleep(for: duration)
        core.hub.unsubscribe(subscription)
      }
    }
    defer { end?.cancel() }
    // Informs a client at once that the stream is open.
    try await writer.write(ByteBuffer(string: ": whereabouts\n\n"))
    var position = terms.last
    // In a task of its own, as are the crossings: a task keeps the memory of its deepest call until its end.
    var shown = try await Task { [position] in
      try await events.lastShown(upTo: position, pageSize: Self.pageSize)
    }.value
    // A later position, such as one of before a backup was restored, must not hold up new crossings.
    if let stated = terms.stated, stated < shown { (position, shown) = (stated, stated) }
    // Only where they were asked for: the call alone takes 20 KB of the task's memory.
    var segments: SegmentEvents?
    if let device = terms.device, let calendar = terms.segments {
      segments = try await SegmentEvents(of: device, calendar, in: core.store)
    }
    for await _ in subscription.wakes {
      // The hub soon ends the streams of a token that was revoked or has expired. The end must not show when the next
      // event comes.
      guard events.isAllowed else { continue }
      var bytes: [UInt8] = []
      let unsent = subscription.drain()
      while unsent.hasCrossings {
        let page = try await Task { [position, shown] in
          try await events.crossings(after: position, shown: shown, limit: Self.pageSize)
        }.value
        (position, shown) = (page.position, page.shown)
        bytes = page.bytes
        if page.count < Self.pageSize { break }
        try await writer.write(ByteBuffer(bytes: bytes))
        bytes = []
      }
      guard events.isAllowed else { continue }
      events.append(unsent.fixes, position: shown, to: &bytes)
      let isIdle = unsent.fixes.isEmpty && !unsent.hasLateFixes
      try await segments?.append(isIdle: isIdle, position: shown, to: &bytes)
      if bytes.isEmpty {
        // A comment would show the reader the moment of a withheld event.
        guard !unsent.hasCrossings, isIdle else { continue }
        // An empty comment prevents a timeout of the connection.
        bytes = Array(":\n\n".utf8)
      }
      try await writer.write(ByteBuffer(bytes: bytes))
    }
  }
}
