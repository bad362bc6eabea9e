public import WhereaboutsModel

/// A decoder of gpsd's JSON protocol: releases from 3.20, and older ones as far as they are compatible.
///
/// Members may stand in any order. Unknown classes and members are skipped, and so are sentences of NMEA 0183 between
/// the objects. An unreadable line is one problem, and decoding resumes. gpsd cuts objects at 10,240 bytes; an object
/// that follows on the same line is read.
///
/// - **Fixes**: one for each instant of a device, from all its TPV reports for that instant. The fix comes with the
///   first that has a position, unless the device is known to send the errors in a later one. A repeated instant, or
///   one earlier by less than five seconds, is ``GPSDReport/repetition(device:)``. Without times, so is a position
///   that equals the one before to the last digit.
/// - **Accuracy**: gpsd's estimates are read as 95 %. `eph`, the radius of a circle, becomes 68 % by the factor
///   0.619. `epv`, `eps`, `epd`, and `epx` with `epy` without an `eph`, are half-widths on one axis and become 68 %
///   by 1 / 1.96. An `eps` that gpsd has computed from the errors of positions is left out, with `epd`: it is no
///   accuracy of the receiver's speed. `ept` has no place in a fix. Without an estimate, the horizontal dilution gives
///   one, marked as estimated.
/// - **Height**: `altHAE` and `altMSL`; `alt` only if both are missing, as before 3.20, and then above mean sea
///   level.
/// - **Time**: as the receiver states it, with dates before ``notBefore`` moved by rounds of 1024 weeks.
/// - **Speed, height and climb** that nothing on or near the Earth has are a problem, and left out.
/// - **Solution**: by `status`; 8 is simulated. gpsd leaves out normal and unknown, and so does the fix.
/// - **Satellites**: in the numbering of NMEA 0183. A SKY report without a list changes the dilutions only.
///
/// A decoder is a value without a clock, and never traps on its input. GST, TOFF, PPS, OSC, IMU, RAW, and the reports
/// of other radio systems are not read.
public struct GPSDDecoder: Sendable {
  /// The longest line that is read, in bytes. gpsd's own limit is 10,240; newer releases may exceed it.
  public static let maxLineLength = 65_536

  private var lines = LineSplitter(limit: GPSDDecoder.maxLineLength)
  private var reader = GPSDLineReader()

  /// Creates a decoder at the beginning of a connection.
  public init() {}

  /// The instant before which no report can have been made; `nil` for none.
  ///
  /// Receivers that lost count of GPS weeks state dates that are whole rounds of 1024 weeks too early, and gpsd
  /// forwards them. The decoder adds rounds until the date is not before this one. For live receivers.
  public var notBefore: UTCTime? {
    get { reader.notBefore }
    set { reader.notBefore = newValue }
  }

  /// The number of well-formed objects of unsupported classes, and of sentences of NMEA 0183.
  public var skippedObjects: Int { reader.skippedObjects }

  /// Decodes the next bytes, appending a report for each completed line.
  ///
  /// The buffer is not kept after the call.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout GPSDBatch) {
    lines.split(bytes) { reader.read($0, into: &batch) }
  }

  /// Decodes the next bytes of an array.
  public mutating func decode(_ bytes: [UInt8], into batch: inout GPSDBatch) {
    bytes.withUnsafeBytes { decode($0, into: &batch) }
  }

  /// Ends a connection, after which another may follow: an incomplete line is dropped, the reported instants are
  /// kept.
  public mutating func disconnect() {
    lines = LineSplitter(limit: GPSDDecoder.maxLineLength)
    reader.disconnect()
  }
}

/// Reads one line after the other.
struct GPSDLineReader {
  /// The limit of devices: more than gpsd supports; further names would be an attack.
  private static let maxDevices = 64
  /// The length at which gpsd cuts objects, without the line end.
  private static let truncationLength = 10_238

  private var epochs: [String: GPSDEpochs] = [:]
  private(set) var skippedObjects = 0
  var notBefore: UTCTime?

  mutating func disconnect() {
    for device in epochs.keys { epochs[device]?.discardCurrent() }
  }

  mutating func read(_ line: TextLine, into batch: inout GPSDBatch) {
    func report(_ kind: InputProblem.Kind, at position: Int = 0, _ detail: StaticString) {
      batch.problems.report(kind, line: line.number, byteOffset: line.offset + position, detail.description)
    }
    guard !line.isTooLong else { return report(.tooLong, "a line longer than 64 KiB") }
    var scanner = JSONScanner(line.bytes)
    guard let first = scanner.peek() else { return }
    guard first == UInt8(ascii: "{") else {
      if first == UInt8(ascii: "$") || first == UInt8(ascii: "!") {
        skippedObjects &+= 1
      } else {
        report(.garbage, "a line that is no object of gpsd's")
      }
      return
    }
    var start = 0
    while true {
      if let object = GPSDObject(steppingOver: &scanner), scanner.peek() == nil {
        if let problem = process(object, into: &batch) {
          report(problem.kind, problem.detail)
          if problem.isLeftOutValue { batch.problems.countLeftOutValues() }
          if problem.isFurther { batch.problems.countFurtherProblems() }
        }
        return
      }
      report(scanner.position < line.bytes.count ? .malformed : .truncated, at: scanner.position, "an object")
      guard let next = Self.nextObject(in: line.bytes, after: start) else { return }
      start = next
      scanner.position = next
    }
  }

  /// Returns the offset of an object that follows a cut one, which began at `begin`.
  private static func nextObject(in bytes: UnsafeRawBufferPointer, after begin: Int) -> Int? {
    guard bytes.count > truncationLength else { return nil }
    let opening: StaticString = "{\"class\":\""
    let count = opening.utf8CodeUnitCount
    // An object that begins earlier belongs to the cut one.
    var start = max(begin + 1, truncationLength - 16)
    while start + count <= bytes.count {
      if UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]).equals(opening) { return start }
      start += 1
    }
    return nil
  }

  private struct Problem {
    let kind: InputProblem.Kind
    let detail: StaticString
    /// Whether the report is read but for a value.
    var isLeftOutValue = false
    /// Whether the report has no place, or a fix without a time, which is counted for that.
    var isFurther = false
  }

  /// Reads one object.
  ///
  /// - Returns: the problem, if any.
  private mutating func process(_ object: GPSDObject, into batch: inout GPSDBatch) -> Problem? {
    switch GPSDClass(of: object) {
    case .tpv:
      var position = GPSDPosition(object)
      position.time = position.time?.correctedForRollover(notBefore: notBefore)
      return process(position, into: &batch)
    case .sky:
      var sky = GPSDSky(object)
      sky.time = sky.time?.correctedForRollover(notBefore: notBefore)
      process(sky, into: &batch)
    case .att: if let report = GPSDReport(attitude: object) { batch.reports.append(report) }
    case .version: batch.reports.append(.version(GPSDVersion(object)))
    case .devices: batch.reports.append(.devices(GPSDDevice.list(object)))
    case .device:
      guard let device = GPSDDevice(object) else {
        return Problem(kind: .missing, detail: "a device without its path")
      }
      batch.reports.append(.device(device))
    case .watch: batch.reports.append(.watch(GPSDWatch(object)))
    case .poll: batch.reports.append(.poll(GPSDPoll(object)))
    case .error: batch.reports.append(GPSDReport(failure: object))
    case .other: skippedObjects &+= 1
    case .missing: return Problem(kind: .missing, detail: "an object without its class")
    }
    return nil
  }

  private mutating func process(_ position: GPSDPosition, into batch: inout GPSDBatch) -> Problem? {
    var position = position
    guard position.mode != nil else { return Problem(kind: .missing, detail: "a TPV without its mode") }
    let hasBadPlace = position.hasPosition && position.isNowhere
    // A later report of the same instant may have the place.
    if hasBadPlace { (position.latitude, position.longitude) = (nil, nil) }
    let begin = batch.reports.count
    withEpochs(of: position.device) { $0.process(position) { batch.reports.append($0) } }
    if hasBadPlace { return Problem(kind: .badCoordinate, detail: "lat or lon of a TPV") }
    guard position.hasBadTime || position.hasBadNumber else { return nil }
    let hasUntimedFix = batch.reports[begin...].contains {
      if case .fix(let fix, _) = $0 { fix.time == nil } else { false }
    }
    let isFurther = hasUntimedFix || (position.mode ?? 0) < 2
    if position.hasBadTime { return Problem(kind: .badTime, detail: "time of a TPV", isFurther: isFurther) }
    return Problem(
      kind: .badNumber, detail: "a member of a TPV",
      isLeftOutValue: !isFurther && position.hasPosition, isFurther: isFurther)
  }

  private mutating func process(_ sky: GPSDSky, into batch: inout GPSDBatch) {
    withEpochs(of: sky.device) { $0.process(sky) }
    guard let satellites = sky.satellites else { return }
    batch.reports.append(
      .satellites(SatellitesInView(satellites: satellites, time: sky.time), device: sky.device))
  }

  private mutating func withEpochs(of device: String?, _ body: (inout GPSDEpochs) -> Void) {
    let name = device ?? ""
    if epochs.count >= Self.maxDevices, epochs[name] == nil { epochs.removeAll() }
    body(&epochs[name, default: GPSDEpochs()])
  }
}
