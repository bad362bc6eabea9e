/// Reads GPX 1.0 and 1.1 as it comes: tracks, segments, their points, waypoints and routes.
///
/// Elements are known by their names without a prefix, in any namespace or none. A track point is a fix:
///
/// | GPX | fix |
/// | --- | --- |
/// | `lat`, `lon` | the coordinate |
/// | `time` | the time; UTC where no zone is written |
/// | `ele` | height above the geoid. GPX does not say above what; that is what the writers we know mean. |
/// | `geoidheight` | added to `ele`: height above the ellipsoid |
/// | `speed`, `course` | of GPX 1.0, or of extensions such as Garmin's TrackPointExtension v2; m/s, degrees. Negative is unknown. |
/// | `fix` | `2d` and `3d` are the mode; `dgps` and `pps` the solution, in 3D where there is an `ele` |
/// | `sat` | satellites used |
/// | `hdop`, `vdop`, `pdop` | dilutions; 0 is unknown |
/// | `hacc`, `vacc`, `sacc`, `cacc`, `accuracy` in extensions | accuracies at 68 % |
///
/// Without such an extension the accuracies are the dilutions times 5 m, the error of one range, and marked as
/// estimated. A point whose `fix` is `none` is a point of the track like any other, without a mode: loggers and people
/// put such points in on purpose. Other elements and extensions are passed over, whatever they hold.
///
/// A point without a place on Earth is one problem; an element that can't be read is one and its point stays. Where the
/// document is not well formed, that is one problem and reading goes on with the next point, track or route that
/// can be found (also where elements are nested over 100 deep), and after the document's end (on Linux; elsewhere it ends there). Entities are refused, nothing is fetched, and whatever the
/// document's size the memory is that of its longest tag, at most 128 KiB (on Linux; see ``RecordingDecoder`` and the note
/// on Apple's platforms at `FoundationXMLStream`).
///
/// A copy is the same decoder and not another: feed only the one that was fed last. Feeding an older copy traps,
/// since the parser behind both is already further on.
public struct GPXDecoder: RecordingDecoder {
  private let document = GPXDocument()
  private var turn = 0

  /// A decoder at the beginning of a document.
  public init() {}

  /// Decodes the next bytes, appending the elements they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    takeTurn()
    document.decode(bytes, into: &batch)
  }

  /// The document has ended; one that is not closed is a problem.
  public mutating func finish(into batch: inout RecordingBatch) {
    takeTurn()
    document.finish(into: &batch)
  }

  private mutating func takeTurn() {
    precondition(document.turn == turn, "a GPX decoder was copied, and an older copy of it was fed")
    turn += 1
    document.turn = turn
  }
}
