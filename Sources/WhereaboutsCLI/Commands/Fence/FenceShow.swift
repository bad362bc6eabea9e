import ArgumentParser
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy
import WhereaboutsOperations
import WhereaboutsReports

/// `whereabouts fence show`: shows the details of one fence.
struct FenceShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the location, terms, state and latest events of a fence.",
    discussion: """
      Examples:
        whereabouts fence show home
        whereabouts fence show home --json

      Exit codes: 0 success, 1 failure or unknown id, 2 usage error, 4 permission denied.
      """)

  /// The maximum number of events shown.
  private static let eventLimit = 5

  @OptionGroup var store: RecordsOptions

  @Argument(help: "Id of the fence.")
  var id: String

  @Flag(help: "Print the fence as a GeoJSON feature with side, since and the latest events.")
  var json = false

  func run() async throws {
    let store = try await store.readingIfThere()
    defer { store?.close() }
    guard let fence = try await (store?.fences() ?? []).those([id]).first else { return }
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      FenceFeatureJSON.append(
        fence, try await store?.fenceStates()[fence.id],
        events: try await Self.events(of: fence, in: store).suffix(Self.eventLimit), to: &output.bytes)
    } else {
      for line in try await Self.lines(fence, in: store) {
        output.bytes.appendText("\(line.sanitizedToOneLine)\n")
      }
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }

  private static func lines(_ fence: Fence, in store: (any DeviceRecords)?) async throws -> [String] {
    var entries = [("Fence", fence.name.map { "\(fence.id)  (\($0))" } ?? fence.id.name)]
    entries.append(("Shape", ShapeText.shape(fence.area)))
    entries.append((Self.placeLabel(fence.area), Self.place(fence.area)))
    let terms = ShapeText.terms(fence.terms)
    entries.append(("Terms", terms.isEmpty ? "as usual" : terms[0]))
    entries += terms.dropFirst().map { ("", $0) }
    let properties = fence.properties.sorted { $0.key < $1.key }
    for (index, property) in properties.enumerated() {
      entries.append((index == 0 ? "Keeps" : "", "\(property.key) = \(Self.text(property.value))"))
    }
    let state = ShapeText.state(try await store?.fenceStates()[fence.id])
    entries.append(("Device", state.isEmpty ? "not known" : state))
    let events = try await events(of: fence, in: store)
    let text = FenceEventText([fence])
    for (index, event) in events.suffix(eventLimit).enumerated() {
      entries.append((index == 0 ? "Events" : "", text.line(event)))
    }
    if events.count > eventLimit {
      entries.append(("", "and \((events.count - eventLimit).grouped) before"))
    }
    return entries.map { "\($0.0.padded(to: 8))\($0.1)" }
  }

  /// Returns the events of a fence in their final form, the oldest first.
  private static func events(
    of fence: Fence, in store: (any DeviceRecords)?
  ) async throws -> [ReportedFenceEvent] {
    ReportedEventBuilder.resolvingRevisions(try await store?.reportedEvents() ?? []).filter {
      $0.fence == fence.id
    }
  }

  private static func placeLabel(_ area: Area) -> String {
    switch area {
    case .circle: "Middle"
    case .polygon, .multiPolygon: "Corners"
    case .corridor: "Line"
    }
  }

  private static func place(_ area: Area) -> String {
    switch area {
    case .circle(let circle): text([circle.center])
    case .polygon(let polygon): text(polygon.exterior)
    case .multiPolygon(let multi): text(multi.polygons.flatMap(\.exterior))
    case .corridor(let corridor): text(corridor.line)
    }
  }

  private static func text(_ places: [Coordinate]) -> String {
    let few = places.prefix(8).map { "\($0.latitude.fixed(6)),\($0.longitude.fixed(6))" }
    let rest = places.count > few.count ? " and \((places.count - few.count).grouped) more" : ""
    return few.joined(separator: " ") + rest
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "null"
    case .bool(let bool): "\(bool)"
    case .number(let number):
      number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    case .string(let text): text
    case .array(let values): "[\(values.map(text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }.joined(separator: ", "))}"
    }
  }
}
