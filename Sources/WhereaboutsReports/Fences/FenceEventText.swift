package import WhereaboutsModel

/// Fence events as text.
package struct FenceEventText {
  /// The names of fences that have a name.
  private var names: [FenceID: String] = [:]
  /// The width of the column of fences.
  private(set) var width = 0

  /// Creates texts about some fences.
  ///
  /// - Parameter ids: the ids of the fences to report; `nil` for all fences. Ids of removed fences are allowed.
  package init(_ fences: some Sequence<Fence>, and ids: Set<FenceID>? = nil) {
    var all = ids ?? []
    for fence in fences {
      names[fence.id] = fence.name
      if ids == nil { all.insert(fence.id) }
    }
    width = all.map { min(name($0).count, 24) }.max() ?? 0
  }

  /// Returns `2024-05-14 17:04:12  left     home  ±0.6 s  97 %  known after 3.0 s`.
  package func line(_ event: ReportedFenceEvent) -> String {
    var columns = [
      "\(event.time.dateText) \(event.time.clockText)", Self.word(event).padded(to: 7),
      name(event.fence).padded(to: width),
    ]
    if event.status != .revoked {
      columns.append(
        event.manner == .stayed ? "" : "±\(Quantities.duration(Self.rounded(event.timeUncertainty)))")
      columns[3] = columns[3].padded(to: 8)
      columns.append(Self.percent(event.confidence).padded(to: 6, onLeft: true))
    }
    columns += remarks(event)
    var line = columns.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line.sanitizedToOneLine
  }

  /// Returns the name of a fence, or its id if the fence has no name.
  package func name(_ fence: FenceID) -> String { names[fence] ?? fence.name }

  private func remarks(_ event: ReportedFenceEvent) -> [String] {
    var remarks: [String] = []
    switch event.manner {
    case .crossed, .stayed: break
    case .passedThrough: remarks.append("passed through")
    case .initial: remarks.append("found so at first")
    case .unseen:
      let side = event.kind == .enter ? "outside" : "inside"
      let since = event.lastSeen.map { " when last seen at \(clock($0, beside: event.time))" } ?? ""
      remarks.append("unseen: \(side)\(since), across by \(clock(event.firstAfter, beside: event.time))")
    }
    if event.status != .revoked, event.latency >= 0.05 {
      remarks.append("known after \(Quantities.duration(Self.rounded(event.latency)))")
    }
    switch event.status {
    case .new: break
    case .again: remarks.append("repeated: event \(event.id)")
    case .revised: remarks.append("revised: event \(event.id)")
    case .revoked: remarks.append("did not happen: event \(event.id) is revoked")
    }
    return remarks.isEmpty ? [] : [remarks.joined(separator: "; ")]
  }

  /// Returns the time of day, with its date if the other time is on another day.
  private func clock(_ time: UTCTime, beside other: UTCTime) -> String {
    time.dateText == other.dateText ? time.clockText : "\(time.dateText) \(time.clockText)"
  }

  static func word(_ event: ReportedFenceEvent) -> String { word(event.kind, event.manner) }

  /// Returns `left`, for example.
  package static func word(_ kind: FenceEvent.Kind, _ manner: FenceEvent.Manner) -> String {
    switch kind {
    case .enter: manner == .initial ? "inside" : "entered"
    case .exit: manner == .initial ? "outside" : "left"
    case .dwell: "stayed"
    }
  }

  /// Returns a percentage: `97 %`, and from 99 % on with a decimal that is rounded down, as in `99.9 %`.
  static func percent(_ share: Double) -> String {
    let percent = share * 100
    if percent < 99 { return "\(percent.fixed(0)) %" }
    return "\(((percent * 10).rounded(.down) / 10).fixed(1)) %"
  }

  /// Returns a required confidence as given, with up to four decimals: `90 %`, `95.5 %`, `99.99 %`.
  static func requiredPercent(_ share: Double) -> String {
    var text = (share * 100).fixed(4)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return "\(text) %"
  }

  /// Returns whole seconds from 10 s on, and tenths below.
  private static func rounded(_ seconds: Double) -> Double {
    seconds < 10 ? (seconds * 10).rounded() / 10 : seconds.rounded()
  }
}
