package import WhereaboutsModel
package import WhereaboutsFormats
package import WhereaboutsSources

/// A recording in a file, with a check that the file is a recording.
package struct RecordingReader: RecordingFeed {
  /// The name of the recording in messages.
  package var name: String { file.name }
  /// The format, known after the first read.
  var format: RecordingFormat? { file.format }
  /// The problems so far.
  package var problems: ProblemLog { file.problems }
  /// The skipped elements of a document so far.
  package var unread: SkippedElements { file.skippedElements }
  /// The number of dates that were corrected by a multiple of 1,024 weeks; final at the end.
  package var movedDates: Int { file.rolloverCorrections }
  /// The lines on times that are not as stated, or may be local times.
  package var timeLines: [String] {
    let lines = [
      OmissionText.line(movedDates: movedDates), OmissionText.line(timesWithoutZone: file.timesWithoutZone),
    ]
    return lines.compactMap(\.self).map { "\(name): \($0)" }
  }

  /// Whether compressed bytes so far were damaged, cut or refused, so that recordings may be missing.
  package var isIncomplete: Bool { file.isIncomplete }

  /// Whether the fixes so far are those of several devices with names. Most commands read them as one device.
  package var hasSeveralDevices: Bool { devices.count > 1 }

  /// The names of the devices with fixes so far; no more once there are several.
  private var devices: Set<DeviceID> = []
  /// The name of the present device, until it has a fix.
  private var begunDevice: DeviceID?
  private var file: RecordingFile
  private let settings: ReadingSettings
  private let progress: (any ReadingProgress)?

  /// Opens a recording, `-` for standard input.
  ///
  /// - Parameter progress: creates the observer of the progress from the number of bytes; `nil` if unknown.
  package init(
    path: String, settings: ReadingSettings,
    progress: (_ total: Int?) -> (any ReadingProgress)? = { _ in nil }
  ) throws(SourceProblem) {
    self.init(try InputFile(path: path), settings: settings, progress: progress)
  }

  /// Creates a reader of an unread file.
  package init(
    _ unread: InputFile, settings: ReadingSettings,
    progress: (_ total: Int?) -> (any ReadingProgress)? = { _ in nil }
  ) {
    self.settings = settings
    file = RecordingFile(unread, format: settings.format, nmea: settings.nmea)
    file.notBefore = settings.notBefore
    self.progress = progress(file.size)
  }

  /// Replaces the elements with the next elements. The array may be empty before the end.
  ///
  /// - Returns: false once the recording has ended.
  /// - Throws: an error if the file cannot be read, or if the whole content is invalid; at the end also if a part is
  ///   missing and the settings require the whole file.
  package mutating func read(into elements: inout [RecordingElement]) throws(SourceProblem) -> Bool {
    let isMore = try file.read(into: &elements)
    if !hasSeveralDevices { recordDevices(of: elements) }
    if isMore {
      progress?.advance(to: file.bytesRead)
    } else {
      progress?.end()
      if let problem = file.contentProblem(settings) { throw problem }
      if settings.requiresWholeFile, let loss = file.loss { throw loss }
    }
    return isMore
  }

  /// Records the devices that have fixes: an archive may hold files of a device without any.
  private mutating func recordDevices(of elements: [RecordingElement]) {
    for element in elements {
      if case .deviceBegan(let name) = element {
        begunDevice = name.map { DeviceID($0) }
      } else if case .fix = element, let name = begunDevice {
        devices.insert(name)
        begunDevice = nil
      }
    }
  }
}

extension RecordingFile {
  /// The remedy for a file that has ended, of which nothing could be read, and whose content shows an archive, or another
  /// format than the caller gave; `nil` for any other file.
  package var formatAdvice: String? {
    guard elementCount == 0 else { return nil }
    if let archiveAdvice { return archiveAdvice }
    guard let otherFormat else { return nil }
    return "it looks like \(otherFormat.title); pass --from \(otherFormat.rawValue), or leave --from out"
  }

  /// The problem of a file that has ended and whose content is not a recording. A receiver's capture without a fix is
  /// valid. A document with problems only is unreadable, and so is content that only the settings call a recording.
  package func contentProblem(_ settings: ReadingSettings) -> SourceProblem? {
    let problems = problems
    guard let format else { return nil }
    if let advice = formatAdvice {
      return SourceProblem(
        .unreadable, message: "read \(name): nothing in it could be read as \(format.title): \(advice)")
    }
    guard elementCount == 0, problems.total > 0 else { return nil }
    if format == .nmea, problems.counts[.missing] != nil {
      return SourceProblem(
        .unreadable, message: "read \(name): its sentences have no checksum",
        remedy: "With \(settings.checksumsRemedy), they are read all the same.")
    }
    guard settings.format != nil || format != .nmea else { return nil }
    // A single problem is given as the reason; the caller lists several problems.
    let reason =
      problems.total == 1 ? problems.samples.first.map { ": \($0.detail.sanitizedToOneLine)" } ?? "" : ""
    return SourceProblem(
      .unreadable, message: "read \(name): nothing in it could be read as \(format.title)\(reason)")
  }
}
