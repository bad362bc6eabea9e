import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsStore

/// The stream of server-sent events: fixes as they come, and every crossing.
///
/// A crossing has its position in the store as its id. A client that reconnects with `Last-Event-ID` gets every later
/// crossing. Of fixes it gets the newest of each device.
struct StreamRoutes: Sendable {
  /// The number of crossings read from the store at once.
  private static let pageSize = 100

  let core: ServerCore

  func add(to api: RouterGroup<ServerContext>) {
    api.get("stream") { request, context in try await open(request, context) }
  }

  private func open(_ request: Request, _ context: ServerContext) async throws -> Response {
    let token = try await core.authenticator.token(of: request, context, for: .read)
    let device = QueryReader(request).text("device").map { DeviceID($0) } ?? token.device
    if let device, !token.allows(.read, of: device) { throw Problem.noSuchDevice }
    let position = try start(of: request)
    guard let subscription = core.hub.subscribe(device: device, limit: core.limits.streams) else {
      throw Problem(.tooManyRequests, "Too many event streams are open.", retryAfter: 30)
    }
    let events = EventWriter(
      device: device, token: token, authenticator: core.authenticator, fences: core.fences, store: core.store)
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-cache"],
      body: ResponseBody { writer in
        core.metrics.streamOpened()
        defer {
          core.metrics.streamClosed()
          core.hub.unsubscribe(subscription)
        }
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await run(subscription, events, from: position, into: &writer)
        }
        try await writer.finish(nil)
      })
  }

  /// Returns the position after which crossings are sent: the client's last one, or now.
  private func start(of request: Request) throws -> UInt64 {
    let text = request.headers[.lastEventID] ?? QueryReader(request).text("after")
    guard let text else { return try core.store.lastRecordPosition() }
    guard let position = UInt64(text) else {
      throw Problem(.badRequest, "Last-Event-ID must be the id of an earlier event.")
    }
    return position
  }

  private func run(
    _ subscription: StreamHub.Subscription, _ events: EventWriter, from start: UInt64,
    into writer: inout any ResponseBodyWriter
  ) async throws {
    var position = start
    // So that a client knows at once that the stream is open.
    try await writer.write(ByteBuffer(string: ": whereabouts\n\n"))
    subscription.wake()
    for await _ in subscription.wakes {
      var bytes: [UInt8] = []
      let news = subscription.drain()
      while news.hasCrossings {
        let page = try await events.appendCrossings(after: &position, limit: Self.pageSize, to: &bytes)
        if page < Self.pageSize { break }
        try await writer.write(ByteBuffer(bytes: bytes))
        bytes.removeAll(keepingCapacity: true)
      }
      events.append(news.fixes, position: position, to: &bytes)
      // Nothing new keeps the connection open.
      if bytes.isEmpty { bytes = Array(":\n\n".utf8) }
      try await writer.write(ByteBuffer(bytes: bytes))
    }
  }
}

extension HTTPField.Name {
  // The name is a valid one.
  fileprivate static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
