import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports
package import WhereaboutsSources

extension SourceName {
  /// Throws if the source is a recording in a file that does not exist, can't be read or is no recording. A pipe is not
  /// read: its bytes come once.
  package func requireRecording() throws(CommandError) {
    guard case .replay(let replay) = self, replay.path != "-", !System.isStream(replay.path, or: 0) else {
      return
    }
    do throws(SourceProblem) {
      var file = try RecordingFile(path: replay.path, format: replay.format)
      var elements: [RecordingElement] = []
      _ = try file.read(into: &elements)
    } catch {
      throw CommandError(error)
    }
  }
}

extension ReplayName {
  /// Returns the recording as a source, which fails at its end if a part of the recording was damaged, cut or refused.
  ///
  /// - Parameters:
  ///   - limit: the time at which the recording ends early.
  ///   - needsTimes: whether the recording fails if most of its fixes have no time.
  ///   - keeping: the store that records the fixes and resumes the recording, if any.
  package func source(until limit: TimeLimit?, needsTimes: Bool = false, keeping: RecordingResumer? = nil)
    -> ReplaySource
  {
    let settings = ReadingSettings(
      format: format, acceptsMissingChecksums: acceptsMissingChecksums,
      checksumsRemedy: "?checksums=optional behind the file's name")
    return ReplaySource(speed: speed, longestPause: longestPause) { [path] in
      var whole = settings
      whole.requiresWholeFile = true
      let reader = try RecordingReader(path: path, settings: whole)
      var feed: any RecordingFeed = reader
      if let keeping { feed = try keeping.remainder(of: feed, atPath: path, name: reader.name, settings) }
      if needsTimes { feed = TimedFixFeed(feed, name: reader.name) }
      return limit.map { TimeLimitedFeed(feed, $0) } ?? feed
    }
  }
}
