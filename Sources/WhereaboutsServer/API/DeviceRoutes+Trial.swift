import Hummingbird
import Whereabouts
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports
import WhereaboutsStore

/// The path that tries fences on the past: their events, had they been watched.
///
/// The stored fixes go through a new engine that watches the fences of the request alone, as with
/// `whereabouts fence test --fences`. The path near other fences is evidence, too, so the events with the server's
/// fences may differ a little.
/// For the device's owner only, since an area of one's choice would show where the device was.
extension DeviceRoutes {
  /// The greatest number of fences of a trial.
  private static let mostFences = 20
  /// The greatest number of events of an answer, the newest.
  private static let mostEvents = 1000
  /// The greatest number of fixes: more than a week at one fix a second.
  private static let mostFixes = 1_000_000
  /// The number of fixes that are read at a time.
  private static let pageSize = 2000
  /// The span without `from`.
  private static let week = Duration.seconds(7 * 86_400)

  func addTrial(to api: RouterGroup<ServerContext>) {
    api.post("devices/:device/trial") { request, context in try await trial(request, context) }
  }

  private func trial(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "what a fence would have reported")
    let query = QueryReader(request)
    let end = try query.time("to") ?? .now,
      start = try query.time("from") ?? end.advanced(by: .zero - Self.week)
    guard start <= end else { throw Problem(.badRequest, "from must not be later than to.") }
    let body = BodyReader(of: .fences, limits: core.limits)
    let fences = try await body.fences(of: request, otherwise: "Nothing was tried")
    guard (1...Self.mostFences).contains(fences.count) else {
      throw Problem(.unprocessableContent, "A trial is of 1 to \(Self.mostFences) fences.")
    }
    let trial: FenceTrial
    do throws(AreaError) {
      trial = try FenceTrial(fences, among: fences, settings: [FenceVariant()], keepsEvents: true)
    } catch {
      throw Problem(.unprocessableContent, "A fence has no valid area.")
    }
    let (tried, count) = try await core.readWithoutErasures { () async throws -> (FenceTrial, Int) in
      var tried = trial
      let count = try await run(&tried, over: start..<end, of: device)
      return (tried, count)
    }
    return .json { body in
      body.appendJSONMember("device", device.rawValue)
      body.appendJSONMember("from", start)
      body.appendJSONMember("to", end)
      body.appendJSONMember("fixes", count)
      body.appendJSONMember("fences", Array(tried.fences.enumerated())) { body, fence in
        body.appendJSONObject {
          $0.appendJSONMember("fence", fence.element.id.name)
          let row = tried.row(0, fence.offset)
          $0.appendJSONMember("enters", row.enters)
          $0.appendJSONMember("exits", row.exits)
          $0.appendJSONMember("dwells", row.dwells)
          $0.appendJSONMember("withheld", row.withheld)
        }
      }
      body.appendJSONMember("events", Array(tried.events[0].suffix(Self.mostEvents))) {
        FenceEventJSON.append($1, to: &$0)
      }
    }
  }

  /// Runs the fixes of a span through a trial; returns their number.
  private func run(
    _ trial: inout FenceTrial, over span: Range<UTCTime>, of device: DeviceID
  ) async throws -> Int {
    var run = trial.begin(), position: HistoryPosition?, count = 0
    while true {
      let page = try core.store.historyPage(of: device, in: span, after: position, limit: Self.pageSize)
      count += page.count
      guard count <= Self.mostFixes else {
        throw Problem(
          .unprocessableContent, "The span has more than \(Self.mostFixes) fixes. Ask for a shorter one.")
      }
      run.process(page.map { .fix($0.fix.fix) })
      guard let last = page.last, page.count == Self.pageSize else { break }
      position = last.position
      // Lets other requests run in between.
      await Task.yield()
    }
    trial.end(run)
    return count
  }
}
