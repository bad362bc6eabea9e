/// A decoder of CSV tracks: a header that names the columns, then one fix a row.
///
/// The columns may be in any order and have any common name: `time` (or `date` and `time`), `lat`, `lon`, `hacc` or
/// `accuracy`, `speed`, `course` or `bearing`, `alt` or `elevation`, and all that ``CSVWriter`` writes. Case, spaces
/// and underscores don't count. Unknown columns are skipped. Commas, semicolons or tabs separate fields, whichever the
/// header has most of. Fields may be quoted (RFC 4180); an empty field is absent.
///
/// - **Units**: as in `Fix`; speeds in km/h, mph or knots, and heights and accuracies in feet, if the header states
///   them, as in `speed (km/h)` and `altitude_ft`, or the value, as in `12.3 km/h`. The speeds of Traccar's tables are
///   in knots, those of OwnTracks' in km/h.
/// - **Time**: a column `timestamp_ms`, else one whose name states UTC, else `time` and the like: RFC 3339, or
///   seconds, milliseconds, microseconds or nanoseconds since 1970 by their size, also with decimals or an exponent, as
///   in `1.7e12`. A number below 100,000,000, such as the seconds since the start or the days of a spreadsheet, is one
///   problem, and the fix has no time. So is one below 100,000,000,000 in `timestamp_ms`, unless another column has the
///   time. A date may be `1.3.2024` or `2024/3/1`, a time of day `3:05:07 PM`, and a zone
///   `UTC`, `GMT` or ` +0200`.
/// - **Day and month**: in `11/28/2026` and `28-11-2026`, one number is too large for a month. The first such row states
///   the order of the other rows. The rows from the first `11/5/2026` to it wait, as far as 4 MiB hold them. Without a
///   known order, `11/5/2026` is a problem and no fix.
/// - **Offset**: a column `utc_offset`, `gmt_offset` or `offset_from_utc` states that a text of a time without a zone is
///   local time, unless the name of the time's column states UTC. The offset is `+02:00`, or a number of hours, minutes
///   or seconds by its size. A number that is less than an hour in each of these units, as 15, is a problem: no clock is
///   so far from UTC.
/// - **Accuracy**: at 68 %, as phones state it.
/// - **Unknown**: empty, `nan` or `null`; for accuracy, speed and course also any negative number. A course above
///   360° is refused.
/// - **Tracks and segments** begin where `trackNumber` or `segment` changes; a track's name is `trackName` of its first
///   row. A row without these values belongs to the track and segment of the row before.
/// - **Languages**: German, French, Spanish, Dutch and Italian names of columns, as `Breitengrad;
///   Längengrad;Datum;Uhrzeit`. `1/3/2024` and `1-3-2024` are the first of March beside them.
/// - **Coordinates** are decimal degrees, also with a hemisphere (`51.4778 N`), or degrees, minutes and seconds with a
///   hemisphere or the sign of degrees, which may be `deg`: `51°28'40.1"N`, `N51 28.668`. Any other text refuses the
///   row.
/// - **Hemispheres** in columns of their own, as in `latitude,N/S,longitude,E/W`: `S` and `W` make a coordinate negative.
/// - **Repetitions**: Traccar's server repeats the last position for messages without one. In its tables, such rows are
///   counted and not read. A course and a height of 0 are unknown there.
/// - **Addresses** in Traccar's tables have commas in them and no quotes: the fields that such a row has more than the
///   header belong to a column `address` that is not empty.
/// - **heading** is the course if there is no such column: receivers' loggers mean the course.
///
/// A row may have another separator than the header: a logger whose settings change continues its file. A line such as
/// `sep=;` before the header states the separator. The text is UTF-8 or UTF-16; a line ends with a line feed, a
/// carriage return, or both. Byte offsets of problems are those of the text in UTF-8.
///
/// Blank lines, lines that begin with `#`, rows without a position and a byte order mark are skipped. A row with an
/// unreadable position or time is one problem and no fix. Any other unreadable field is one problem and absent. A row
/// may be 16 KiB long.
///
/// A last row without a line feed is read, since many programs write none. It is one problem and no fix where it shows that
/// the file ends in its middle: it has fewer fields than the row before, or than the header if it is the only row; or its
/// last field is a coordinate or a time with fewer decimals than those of all rows before, which have equally many, for
/// at least 50 changed values.
public struct CSVDecoder: RecordingDecoder, Sendable {
  private var lines = LineSplitter(limit: 16_384, joinsQuotedLines: true, endsAtReturns: true)
  private var transcoder = UTF16Transcoder()
  private var reader = CSVReader()

  /// Creates a decoder at the beginning of a recording.
  public init() {}

  /// Decodes the next bytes, appending a fix for each row they complete.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout RecordingBatch) {
    transcoder.transcode(bytes) { lines.split($0) { reader.read($0, into: &batch) } }
  }

  /// Appends fixes of rows that waited for the order of the day and the month.
  public mutating func decodeHeldBack(into batch: inout RecordingBatch) -> Bool {
    reader.readHeldRows(into: &batch)
  }

  /// Decodes a last row that has no line feed.
  public mutating func finish(into batch: inout RecordingBatch) {
    transcoder.finish { lines.split($0) { reader.read($0, into: &batch) } }
    lines.finish { reader.read($0, isCut: true, into: &batch) }
    reader.finish(into: &batch)
  }
}
