import WhereaboutsFormats
package import WhereaboutsModel
package import WhereaboutsReports
package import WhereaboutsSources

/// A replay of recordings through the engine, with a summary, a track or the events at fences, and pictures.
package struct RecordingReplay {
  package let reading: ReadingSettings
  package let json: Bool
  /// The terms of the tracker; `nil` if no track is measured.
  package let tracking: TrackTerms?
  /// The fences whose events are reported, if any.
  package let fences: WatchedFences?
  package let speed: ReplaySpeed
  /// The files of the pictures, if any.
  package let mapFile: OutputFile?
  package let plotFile: OutputFile?
  /// Whether nothing but a picture is written to the output.
  package let isSilent: Bool

  package init(
    reading: ReadingSettings, json: Bool, tracking: TrackTerms?, fences: WatchedFences?, speed: ReplaySpeed,
    mapFile: OutputFile?, plotFile: OutputFile?, isSilent: Bool
  ) {
    self.reading = reading
    self.json = json
    self.tracking = tracking
    self.fences = fences
    self.speed = speed
    self.mapFile = mapFile
    self.plotFile = plotFile
    self.isSilent = isSilent
  }

  /// Replays the recordings in their order. The next recordings are replayed after one that cannot be read.
  ///
  /// - Throws: an error if a recording, or a part of one, could not be read.
  package func run(_ files: JournalReplay.Files, to output: OutputFile) async throws {
    let lines = ReplayLines(
      json: json, track: tracking != nil, fences: fences, isLive: speed != .asFastAsPossible,
      isSilent: isSilent)
    var pictures = PictureCollector(
      hasMap: mapFile != nil, hasPlot: plotFile != nil, showsTrack: tracking != nil)
    var analyses: [RecordingAnalysis] = []
    var worst: CommandError.Code?
    do {
      for file in files {
        do {
          if !analyses.isEmpty, !json, !lines.isSilent { output.bytes.appendText("\n") }
          let part = fences.map { FenceReplay($0.fences, after: analyses.last?.lastEventNumber ?? 0) }
          var analysis = RecordingAnalysis(measuring: tracking, watching: part)
          let isWhole = try await replay(
            try file.get(), on: &analysis, showing: lines, to: output, pictures: &pictures)
          analyses.append(analysis)
          if !isWhole { worst = .failed }
        } catch let problem as SourceProblem {
          // The next recordings may be readable.
          let failure = CommandError(problem)
          StandardError.print("whereabouts: \(failure.message)")
          worst = worst == .failed ? .failed : failure.code
        }
      }
      if tracking != nil, analyses.count > 1 {
        lines.append(together: analyses.compactMap(\.trackSummary), to: &output.bytes)
      }
      try output.flush()
      if !analyses.isEmpty {
        let caption = PictureCaption(analyses)
        pictures.finish(hasTrack: caption.hasTrack)
        let layer = fences.map { FenceLayer($0, events: pictures.events) }
        try write(
          pictures.map.map { caption.map(of: $0, stops: pictures.stops, fences: layer).svg() }, to: mapFile)
        try write(pictures.plot.map { caption.plot(of: $0).svg() }, to: plotFile)
      }
    } catch is OutputFile.ReaderGoneError {
      return
    }
    if let worst { throw CommandError("", code: worst) }
  }

  private func write(_ picture: [UInt8]?, to file: OutputFile?) throws {
    guard let picture, let file else { return }
    file.bytes += picture
    try file.finish()
  }

  /// - Returns: false if a part of the recording could not be read because its compressed bytes are damaged.
  private func replay(
    _ file: InputFile, on analysis: inout RecordingAnalysis, showing lines: ReplayLines,
    to output: OutputFile,
    pictures: inout PictureCollector
  ) async throws -> Bool {
    var reader = RecordingReader(file, settings: reading, progress: ProgressMeter.init)
    let pace = ReplayPace(speed)
    var elements: [RecordingElement] = []
    pictures.beginRecording()
    while try reader.read(into: &elements) {
      for element in elements {
        let due = analysis.advance(to: element)
        if speed != .asFastAsPossible, let due {
          try output.flush()
          try await pace.wait(until: due)
        }
        try analysis.process(element, pictures: &pictures) { event in
          lines.append(event, to: &output.bytes)
          try output.flushIfFull()
        }
      }
    }
    analysis.finish(pictures: &pictures) { lines.append($0, to: &output.bytes) }
    if fences == nil {
      lines.append(analysis.summary, analysis.trackSummary, of: reader, to: &output.bytes)
    } else {
      lines.append(analysis.fences, of: reader, fixes: analysis.summary.accepted, to: &output.bytes)
    }
    // Otherwise the summary has the problems.
    guard fences != nil || reader.isIncomplete else {
      reader.reportSeveralDevices()
      return true
    }
    return reader.reportProblems()
  }
}
