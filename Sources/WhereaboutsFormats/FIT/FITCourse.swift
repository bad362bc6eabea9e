import WhereaboutsModel
import WhereaboutsGeodesy

/// A course while it is read: the bytes of its records, and the totals of its lap.
struct FITCourse {
  fileprivate enum Message: UInt16 {
    case fileID = 0
    case lap = 19
    case record = 20
    case event = 21
    case course = 31
    case coursePoint = 32
  }

  /// A field of a definition: its number, and its type with the type's size.
  fileprivate struct Field {
    let number: UInt8
    let size: UInt8
    let type: UInt8

    static func enumeration(_ number: UInt8) -> Field { Field(number: number, size: 1, type: 0x00) }
    static func byte(_ number: UInt8) -> Field { Field(number: number, size: 1, type: 0x02) }
    static func word(_ number: UInt8) -> Field { Field(number: number, size: 2, type: 0x84) }
    static func signed(_ number: UInt8) -> Field { Field(number: number, size: 4, type: 0x85) }
    static func unsigned(_ number: UInt8) -> Field { Field(number: number, size: 4, type: 0x86) }
    static func text(_ number: UInt8, _ size: UInt8) -> Field {
      Field(number: number, size: size, type: 0x07)
    }
  }

  /// The number of the time in every message.
  private static let timestamp: UInt8 = 253
  private static let nameSize = 48
  private static let pointNameSize = 24

  private let name: String?
  private var records: [UInt8] = []
  private var first: (time: FITTime, place: Coordinate)?
  private var last: (time: FITTime, place: Coordinate)?
  private var distance = 0.0
  private var endsSegment = false

  init(name: String?) { self.name = name }

  /// Whether an accuracy in metres is within the format's range.
  static func canState(accuracy: Double) -> Bool { UInt8(accuracy: accuracy) != nil }

  /// Adds a fix.
  mutating func add(_ fix: Fix, at time: FITTime) {
    if let last {
      distance += last.place.distance(to: fix.coordinate)
      if endsSegment {
        // A pause: the timer stops at the last fix and starts again at this one.
        records.appendEvent(at: last.time, .stop)
        records.appendEvent(at: time, .start)
      }
    } else {
      first = (time, fix.coordinate)
    }
    endsSegment = false
    last = (time, fix.coordinate)
    records.append(Local.record.rawValue)
    records.append(integer: time.seconds)
    records.append(place: fix.coordinate)
    records.append(integer: fix.heightAboveGeoid.flatMap { UInt32(scaled: $0 + 500, by: 5) } ?? .max)
    records.append(integer: fix.speed.flatMap { UInt32(scaled: $0, by: 1000) } ?? .max)
    records.append(integer: UInt32(scaled: distance, by: 100) ?? .max)
    records.append(integer: fix.horizontalAccuracy.flatMap { UInt8(accuracy: $0) } ?? .max)
  }

  /// Ends a segment: the next fix follows a pause.
  mutating func endSegment() { endsSegment = true }

  /// Appends the whole file.
  func appendFile(with points: [FITCoursePoint], to bytes: inout [UInt8]) {
    guard let first, let last else { return }
    var messages: [UInt8] = []
    messages.reserveCapacity(records.count + 1024)
    Self.appendFileID(created: first.time, to: &messages)
    messages.appendDefinition(
      Local.course, Message.course, [.enumeration(4), .text(5, UInt8(Self.nameSize))])
    messages.append(Local.course.rawValue)
    messages.append(0)
    // Empty text is an absent value.
    messages.append(text: name ?? "", size: Self.nameSize)
    messages.appendDefinition(
      Local.lap, Message.lap,
      [.unsigned(Self.timestamp), .unsigned(2), .signed(3), .signed(4), .signed(5), .signed(6)]
        + [.unsigned(7), .unsigned(8), .unsigned(9)])
    messages.append(Local.lap.rawValue)
    messages.append(integer: last.time.seconds)
    messages.append(integer: first.time.seconds)
    messages.append(place: first.place)
    messages.append(place: last.place)
    let duration = UInt32(scaled: Double(last.time.seconds) - Double(first.time.seconds), by: 1000)
    for _ in 0..<2 { messages.append(integer: duration ?? .max) }
    messages.append(integer: UInt32(scaled: distance, by: 100) ?? .max)
    messages.appendDefinition(
      Local.event, Message.event, [.unsigned(Self.timestamp), .enumeration(0), .enumeration(1)])
    messages.appendEvent(at: first.time, .start)
    messages.appendDefinition(
      Local.record, Message.record,
      [
        .unsigned(Self.timestamp), .signed(0), .signed(1), .unsigned(78), .unsigned(73), .unsigned(5),
        .byte(31),
      ])
    messages += records
    Self.append(points, at: first.time, to: &messages)
    messages.appendEvent(at: last.time, .stopAll)
    Self.append(file: messages, to: &bytes)
  }

  /// Appends a file without records.
  static func appendEmptyFile(to bytes: inout [UInt8]) {
    var messages: [UInt8] = []
    appendFileID(created: nil, to: &messages)
    append(file: messages, to: &bytes)
  }

  // MARK: Messages

  private static func appendFileID(created: FITTime?, to messages: inout [UInt8]) {
    messages.appendDefinition(
      Local.fileID, Message.fileID, [.enumeration(0), .word(1), .word(2), .unsigned(4)])
    messages.append(Local.fileID.rawValue)
    let course: UInt8 = 6
    messages.append(course)
    // The number of makers without one of their own.
    messages.append(integer: UInt16(255))
    messages.append(integer: UInt16(0))
    messages.append(integer: created?.seconds ?? .max)
  }

  private static func append(_ points: [FITCoursePoint], at time: FITTime, to messages: inout [UInt8]) {
    guard !points.isEmpty else { return }
    messages.appendDefinition(
      Local.coursePoint, Message.coursePoint,
      [.unsigned(1), .signed(2), .signed(3), .enumeration(5), .text(6, UInt8(pointNameSize))])
    for point in points {
      messages.append(Local.coursePoint.rawValue)
      messages.append(integer: time.seconds)
      messages.append(place: point.coordinate)
      messages.append(0)
      messages.append(text: point.name ?? "", size: pointNameSize)
    }
  }

  /// Appends a header, messages and their checksum.
  private static func append(file messages: [UInt8], to bytes: inout [UInt8]) {
    // A header of 14 bytes, of protocol 1.0 and profile 21.00.
    var header: [UInt8] = [14, 0x10]
    header.append(integer: UInt16(2100))
    header.append(integer: UInt32(messages.count))
    header.append(".FIT")
    header.append(integer: FITChecksum.of(header))
    bytes += header
    bytes += messages
    bytes.append(integer: FITChecksum.of(header + messages))
  }

  /// The local types of messages.
  fileprivate enum Local: UInt8 { case fileID, course, lap, event, record, coursePoint }

  /// The types of events of the timer.
  fileprivate enum TimerEvent: UInt8 {
    case start = 0
    case stop = 1
    case stopAll = 4
  }
}

extension FITChecksum {
  fileprivate static func of(_ bytes: [UInt8]) -> UInt16 {
    var checksum = FITChecksum()
    bytes.withUnsafeBytes { checksum.add($0) }
    return checksum.value
  }
}

extension UInt32 {
  /// Creates a number by its scale; `nil` if it does not fit.
  fileprivate init?(scaled value: Double, by scale: Double) {
    let number = (value * scale).rounded()
    guard number >= 0, number < 4_294_967_295 else { return nil }
    self.init(number)
  }
}

extension UInt8 {
  /// Creates an accuracy in metres, never better than it is; `nil` if it does not fit.
  fileprivate init?(accuracy: Double) {
    guard accuracy >= 0 else { return nil }
    // 0 is unknown.
    let number = Swift.max(1, accuracy.rounded(.up))
    guard number < 255 else { return nil }
    self.init(number)
  }
}

extension [UInt8] {
  fileprivate mutating func append<Number: FixedWidthInteger>(integer: Number) {
    Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends latitude and longitude in semicircles.
  fileprivate mutating func append(place: Coordinate) {
    for degrees in [place.latitude, place.longitude] {
      let semicircles = (degrees * (2_147_483_648 / 180)).rounded()
      // The number of 180° is the same place as that of −180°, and the greatest number means none.
      append(integer: Int32(semicircles >= 2_147_483_647 ? -2_147_483_648 : semicircles))
    }
  }

  /// Appends text that ends with a zero, cut at the end of a character.
  fileprivate mutating func append(text: String, size: Int) {
    var bytes: [UInt8] = []
    for character in text {
      let next = Array(character.utf8)
      guard bytes.count + next.count < size else { break }
      bytes += next
    }
    self += bytes + [UInt8](repeating: 0, count: size - bytes.count)
  }

  /// Appends a definition of a local type, little-endian.
  fileprivate mutating func appendDefinition(
    _ local: FITCourse.Local, _ message: FITCourse.Message, _ fields: [FITCourse.Field]
  ) {
    append(0x40 | local.rawValue)
    append(0)
    append(0)
    append(integer: message.rawValue)
    append(UInt8(fields.count))
    for field in fields {
      append(field.number)
      append(field.size)
      append(field.type)
    }
  }

  fileprivate mutating func appendEvent(at time: FITTime, _ kind: FITCourse.TimerEvent) {
    append(FITCourse.Local.event.rawValue)
    append(integer: time.seconds)
    append(0)
    append(kind.rawValue)
  }
}
