import Whereabouts
import WhereaboutsEngine
import WhereaboutsFormats
package import WhereaboutsModel
package import WhereaboutsReports
import WhereaboutsSources

/// An explanation of the decisions in journals and recordings, or of one fence at one moment.
package struct Explanation {
  package let reading: ReadingSettings
  /// The request at the beginning of a recording.
  package let request: RequestTerms
  /// The question about one fence, for each moment that it may mean; empty to explain each decision. The answer is for
  /// the moment nearest to the input, or the first of several.
  package let inquiries: [FenceInquiry]
  package let json: Bool
  /// Whether coordinates are included.
  package let showsPlaces: Bool

  package init(
    reading: ReadingSettings, request: RequestTerms, inquiries: [FenceInquiry], json: Bool, showsPlaces: Bool
  ) {
    self.reading = reading
    self.request = request
    self.inquiries = inquiries
    self.json = json
    self.showsPlaces = showsPlaces
  }

  /// Explains the files in their order: the parts of one journal, or recordings.
  ///
  /// - Throws: an error if a file, or a part of one, could not be read.
  package func run(_ files: JournalReplay.Files, watching fences: [Fence], to output: OutputFile) async throws
  {
    guard !files.areJournals else { return try await explain(journal: files, to: output) }
    var areWhole = true
    for (index, file) in files.enumerated() {
      // A file that can't be read loses nothing of those before.
      try output.flush()
      if index > 0, !json { output.bytes.appendText("\n") }
      let isWhole = try explain(recording: try file.get(), watching: fences, to: output)
      areWhole = areWhole && isWhole
    }
    guard !areWhole else { return }
    try output.flush()
    throw CommandError("")
  }

  private func explain(journal files: JournalReplay.Files, to output: OutputFile) async throws {
    var journalReplay = JournalReplay(warn: StandardError.print)
    var explainer: DecisionExplainer?
    var inquiries = inquiries
    for file in files {
      try output.flush()
      let file = try file.get()
      try await journalReplay.replay(file) { header in
        guard inquiries.isEmpty else { return }
        explainer?.finish(to: &output.bytes)
        explainer = DecisionExplainer(settings: header.settings, json: json, showingPlaces: showsPlaces)
        printHeader(header, of: file.name, on: output)
      } step: { entry, effects, engine in
        for index in inquiries.indices {
          inquiries[index].process(entry.input, at: entry.moment.instant, effects: effects, engine: engine)
        }
        explainer?.process(entry.input, at: entry.moment, effects: effects, to: &output.bytes)
        try output.flushIfFull()
      }
    }
    explainer?.finish(to: &output.bytes)
    try printAnswer(inquiries, on: output)
    if let (name, line) = journalReplay.report.firstDifference {
      StandardError.print(
        "\(name): from line \(line), this program decides differently from the recorded run")
    }
  }

  private func printHeader(_ header: JournalHeader, of name: String, on output: OutputFile) {
    guard !json else { return }
    let began = header.began.map { ", begun \($0.dateText) \($0.clockText) UTC" } ?? ""
    let permission =
      switch header.settings.authorization {
      case .notNeeded: "no permission needed"
      case .needed(nil): "permission needed"
      case .needed(let level?): "permission needed: \(level.rawValue)"
      }
    output.bytes.appendText("\(name)  (journal\(began); \(permission))\n")
  }

  private func printAnswer(_ inquiries: [FenceInquiry], on output: OutputFile) throws(CommandError) {
    guard let inquiry = inquiries.min(by: { $0.timeBeyondInput < $1.timeBeyondInput }) else { return }
    guard inquiry.ids.contains(inquiry.id) else {
      let hint = FenceID.hint(for: inquiry.id.name, among: inquiry.ids)
      throw CommandError("could not explain fence \(inquiry.id): no fence has this id\(hint)")
    }
    guard inquiry.at != nil else { throw CommandError("could not explain the moment: no fix has a time") }
    guard inquiry.fence != nil else {
      throw CommandError("could not explain fence \(inquiry.id): it was added after that moment")
    }
    let text = FenceInquiryText(inquiry: inquiry)
    if json {
      text.append(to: &output.bytes)
    } else {
      for line in text.lines { output.bytes.appendText("\(line.sanitizedToOneLine)\n") }
    }
  }

  /// - Returns: false if a part of the recording could not be read because its compressed bytes are damaged.
  private func explain(
    recording file: InputFile, watching fences: [Fence], to output: OutputFile
  ) throws -> Bool {
    var reader = RecordingReader(file, settings: reading, progress: ProgressMeter.init)
    var inquiries = inquiries
    var explainer =
      inquiries.isEmpty
      ? DecisionExplainer(settings: EngineSettings(), json: json, showingPlaces: showsPlaces) : nil
    var run = RecordedRun()
    var elements: [RecordingElement] = []
    if !json, inquiries.isEmpty { output.bytes.appendText("\(reader.name)\n") }
    func step(_ input: Input, _ now: Moment, _ effects: [Effect], _ engine: Engine) throws {
      for index in inquiries.indices {
        inquiries[index].process(input, at: now.instant, effects: effects, engine: engine)
      }
      explainer?.process(input, at: now, effects: effects, to: &output.bytes)
      try output.flushIfFull()
    }
    try run.begin(request, watching: fences, step: step)
    while try reader.read(into: &elements) {
      for element in elements { try run.process(element, step: step) }
    }
    try run.end(step: step)
    explainer?.finish(to: &output.bytes)
    let isWhole = reader.reportProblems()
    try printAnswer(inquiries, on: output)
    return isWhole
  }
}
