import Hummingbird
import NIOPosix
import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
import WhereaboutsModel
import WhereaboutsReports

/// The paths of explanations: the decisions about a fence, and every decision of a span.
///
/// The answers are derived from the stored fixes: a new engine processes them with the present fences, as with
/// `whereabouts explain`. For the device's owner only, since the reasons hold distances.
extension DeviceRoutes {
  func addExplanations(to api: RouterGroup<ServerContext>) {
    api.read("devices/:device/why") { request, context in try await why(request, context) }
    api.read("devices/:device/decisions") { request, context in try await decisions(request, context) }
  }

  private func why(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, disclosure) = try await owner(request, context, of: "how its fences were decided")
    let query = QueryReader(request)
    guard let id = try query.text("fence").map({ FenceID($0) }) else {
      throw Problem(.badRequest, "fence is missing: its id.")
    }
    let at = try query.time("at") ?? .now
    let fences = core.fences.snapshot.registry
    guard fences.fence(id) != nil else { throw Problem(.notFound, "There is no fence of this id.") }
    let (lines, late, answer) = try await NIOThreadPool.singleton.runIfActive {
      [store = core.store] () throws -> (lines: [String], late: Int, answer: [UInt8]) in
      let replay = try StoredReplay(around: at, of: device, in: store)
      var inquiry = FenceInquiry(id) { _ in at }
      // All fences, because the path near one fence is evidence for the others.
      replay.run(sharing: fences) { input, now, effects, engine in
        inquiry.process(input, at: now.instant, effects: effects, engine: engine)
      }
      let text = FenceInquiryText(inquiry: inquiry)
      var answer: [UInt8] = []
      answer.appendJSONObject { text.appendMembers(to: &$0) }
      var lines = text.lines
      let late = replay.tooLateCount
      if late > 0, !lines.isEmpty {
        let fixes = Quantities.count(late, "fix", "fixes")
        lines.append("  Late      \(fixes) came late and changed no crossing")
      }
      return (lines: lines, late: late, answer: answer)
    }
    guard !lines.isEmpty else {
      throw Problem(
        .notFound, "The device has no fix in the week before \(at.dateText) \(at.clockText) UTC.")
    }
    return .json { body in
      body.appendJSONMember("device", device.rawValue)
      body.appendJSONMember("lines", lines.compactMap { disclosure.text($0, of: device) }) {
        $0.appendJSONString($1)
      }
      body.appendJSONMember("lateFixes", late)
      body.appendJSONKey("answer")
      body += answer
    }
  }

  private func decisions(_ request: Request, _ context: ServerContext) async throws -> Response {
    let (device, _) = try await owner(request, context, of: "how its fences were decided")
    let query = QueryReader(request), span = try query.span()
    let end = span?.upperBound ?? .now, start = span?.lowerBound ?? end.advanced(by: .seconds(-3600))
    let isText = try query.flag("text") ?? false
    let fences = core.fences.snapshot.registry
    let lines = try await NIOThreadPool.singleton.runIfActive { [store = core.store] () throws -> [UInt8] in
      let replay = try StoredReplay(start..<max(start, end), of: device, in: store)
      var explainer = DecisionExplainer(settings: EngineSettings(), json: !isText, showingPlaces: false)
      var lines: [UInt8] = []
      replay.run(sharing: fences) { input, now, effects, _ in
        explainer.process(input, at: now, effects: effects, to: &lines)
      }
      explainer.finish(to: &lines)
      let late = replay.tooLateCount
      if isText, late > 0 {
        let fixes = Quantities.count(late, "fix", "fixes")
        lines.appendText("\(fixes) came late and changed no crossing\n")
      }
      return lines
    }
    return .json { body in
      body.appendJSONMember("device", device.rawValue)
      let newline = UInt8(ascii: "\n")
      if isText {
        body.appendJSONMember(
          "lines", lines.split(separator: newline, omittingEmptySubsequences: false).dropLast()
        ) {
          $0.appendJSONString(String(decoding: $1, as: UTF8.self))
        }
      } else {
        body.appendJSONMember("decisions", lines.split(separator: newline)) { $0.append(contentsOf: $1) }
      }
    }
  }
}
