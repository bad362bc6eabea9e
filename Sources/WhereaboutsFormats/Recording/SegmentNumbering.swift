/// The numbers of the track and the segment that each fix belongs to, for formats that write a fix as a row of its own.
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

  /// A track begins.
  mutating func beginTrack(name: String?) {
    end()
    track += 1
    segment = 0
    unwrittenName = name
    hasFixInTrack = false
  }

  /// A segment begins, within the track if there is one.
  mutating func beginSegment() {
    if !hasFixInSegment { emptySegments += 1 }
    segment += 1
    hasFixInSegment = false
  }

  /// A fix has been written.
  mutating func didWriteFix() {
    hasFixInTrack = true
    hasFixInSegment = true
    unwrittenName = nil
  }

  /// The track, or the recording, ends.
  mutating func end() {
    if !hasFixInTrack { emptyTracks += 1 }
    if !hasFixInSegment { emptySegments += 1 }
    hasFixInTrack = true
    hasFixInSegment = true
  }
}

/// Finds where tracks and segments begin, from the values that rows have for them.
///
/// A value that differs from the last one begins a track or a segment; an absent value changes nothing. Values are
/// compared as text, since other programs write names or identifiers there.
struct SegmentFinding: Sendable {
  private var track: [UInt8] = []
  private var segment: [UInt8] = []

  /// Appends what begins with the next row.
  ///
  /// - Parameters:
  ///   - track: the row's value for the track; empty where absent.
  ///   - segment: the row's value for the segment; empty where absent.
  ///   - name: the track's name; called only where a track begins.
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
