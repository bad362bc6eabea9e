/// The track and segment numbers of each fix, for formats with one row for each fix.
struct SegmentNumbering: Sendable {
  /// The track of the next fix, counted from 1; 0 where no track has begun.
  private(set) var track = 0
  /// The segment of the next fix, counted from 1 in its track; 0 where no segment has begun.
  private(set) var segment = 0
  /// The track's name, until the first fix of the track has been written.
  private(set) var unwrittenName: String?
  private var hasFixInTrack = true
  private var hasFixInSegment = true
  /// Tracks and segments that ended without a fix, for which there is no row.
  private(set) var emptyTracks = 0
  private(set) var emptySegments = 0

  /// Begins a track.
  mutating func beginTrack(name: String?) {
    end()
    track += 1
    segment = 0
    unwrittenName = name
    hasFixInTrack = false
  }

  /// Begins a segment, within the track if there is one.
  mutating func beginSegment() {
    if !hasFixInSegment { emptySegments += 1 }
    segment += 1
    hasFixInSegment = false
  }

  /// Marks a fix as written.
  mutating func didWriteFix() {
    hasFixInTrack = true
    hasFixInSegment = true
    unwrittenName = nil
  }

  /// Ends the track, or the recording.
  mutating func end() {
    if !hasFixInTrack { emptyTracks += 1 }
    if !hasFixInSegment { emptySegments += 1 }
    hasFixInTrack = true
    hasFixInSegment = true
  }
}

/// A detector of tracks and segments, from the values of rows.
///
/// A changed value begins a track or a segment; an absent value changes nothing. Values are compared as text, since
/// other programs write names or identifiers.
struct SegmentDetector: Sendable {
  private var track: [UInt8] = []
  private var segment: [UInt8] = []

  /// Appends the track and segment that begin with the next row.
  ///
  /// - Parameters:
  ///   - track: the row's value for the track; empty if absent.
  ///   - segment: the row's value for the segment; empty if absent.
  ///   - name: returns the track's name; called only if a track begins.
  mutating func advance(
    track: UnsafeRawBufferPointer, segment: UnsafeRawBufferPointer, name: () -> String?,
    into batch: inout RecordingBatch
  ) {
    if !track.isEmpty, !track.elementsEqual(self.track) {
      self.track.replaceContents(with: track)
      self.segment.removeAll(keepingCapacity: true)
      batch.elements.append(.trackBegan(name: name()))
    }
    if !segment.isEmpty, !segment.elementsEqual(self.segment) {
      self.segment.replaceContents(with: segment)
      batch.elements.append(.segmentBegan)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func replaceContents(with bytes: UnsafeRawBufferPointer) {
    removeAll(keepingCapacity: true)
    append(contentsOf: bytes)
  }
}
