import WhereaboutsCore

/// Events of fences as a person reads them.
struct FenceEventText {
  /// What people call fences that have a name.
  private var names: [FenceID: String] = [:]
  /// How wide the column of fences is.
  private(set) var width = 0

  /// Texts about some fences.
  ///
  /// - Parameter ids: of which it is to tell; `nil` for all of them. There may be some that are no more.
  init(_ fences: some Sequence<Fence>, and ids: Set<FenceID>? = nil) {
    var all = ids ?? []
    for fence in fences {
      names[fence.id] = fence.name
      if ids == nil { all.insert(fence.id) }
    }
    width = all.map { min(name($0).count, 24) }.max() ?? 0
  }

  /// `2024-05-14 17:04:12  left     home  ±0.6 s  97 %  known after 3.0 s`
  func line(_ event: ToldEvent) -> String {
    var columns = [
      "\(event.time.dateText) \(event.time.clockText)", Self.word(event).padded(to: 7),
      name(event.fence).padded(to: width),
    ]
    if event.news != .revoked {
      columns.append(event.manner == .stayed ? "" : "±\(Quantities.duration(Self.tidy(event.uncertainty)))")
      columns[3] = columns[3].padded(to: 8)
      columns.append(Self.percent(event.confidence).padded(to: 6, onLeft: true))
    }
    columns += remarks(event)
    var line = columns.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line.onOneLine
  }

  /// What it is called: its name, or else its id.
  func name(_ fence: FenceID) -> String { names[fence] ?? fence.name }

  private func remarks(_ event: ToldEvent) -> [String] {
    var remarks: [String] = []
    switch event.manner {
    case .crossed, .stayed: break
    case .passedThrough: remarks.append("passed through")
    case .initial: remarks.append("found so at first")
    case .unseen:
      let side = event.kind == .enter ? "outside" : "inside"
      let since = event.lastSeen.map { " when last seen at \(clock($0, beside: event.time))" } ?? ""
      remarks.append("unseen: \(side)\(since), across by \(clock(event.firstSeen, beside: event.time))")
    }
    if event.news != .revoked, event.latency >= 0.05 {
      remarks.append("known after \(Quantities.duration(Self.tidy(event.latency)))")
    }
    switch event.news {
    case .new: break
    case .again: remarks.append("told again: event \(event.id)")
    case .revised: remarks.append("revised: event \(event.id)")
    case .revoked: remarks.append("did not happen: event \(event.id) is revoked")
    }
    return remarks.isEmpty ? [] : [remarks.joined(separator: "; ")]
  }

  /// With its day, where that is another.
  private func clock(_ time: UTCTime, beside other: UTCTime) -> String {
    time.dateText == other.dateText ? time.clockText : "\(time.dateText) \(time.clockText)"
  }

  static func word(_ event: ToldEvent) -> String {
    switch event.kind {
    case .enter: event.manner == .initial ? "inside" : "entered"
    case .exit: event.manner == .initial ? "outside" : "left"
    case .dwell: "stayed"
    }
  }

  /// `97 %`, `99.9 %`; never more than it is.
  static func percent(_ share: Double) -> String {
    let percent = share * 100
    if percent < 99 { return "\(percent.fixed(0)) %" }
    return "\(((percent * 10).rounded(.down) / 10).fixed(1)) %"
  }

  /// Whole seconds from ten on, tenths below.
  private static func tidy(_ seconds: Double) -> Double {
    seconds < 10 ? (seconds * 10).rounded() / 10 : seconds.rounded()
  }
}
