public import WhereaboutsCore

/// Reads gpsd's JSON protocol: releases 3.20 to now, and older ones as far as they say the same.
///
/// Members may stand in any order; classes and members that are not known are passed over, and so are sentences of
/// NMEA 0183 between the objects. A line that can't be read is one problem, and the rest goes on; where gpsd has cut an object
/// at its 10,240 bytes and the next one follows on the same line, that one is read.
///
/// - **Fixes**: one for each instant of a device, of all its TPV reports for that instant: with the first that has a position,
///   unless the device is known to tell the errors in a later one. An instant that was told, or an earlier one by less
///   than five seconds, comes as ``GPSDReport/repetition(device:)``. Without times, so does a position that is the one
///   before to the last digit.
/// - **Accuracy**: gpsd's estimates are taken as 95 %. `eph`, the radius of a circle, is brought to 68 % by the factor 0.619;
///   `epv`, `eps`, `epd`, and `epx` with `epy` where there is no `eph`, are half-widths on one axis and brought by 1 / 1.96.
///   `ept` has no place in a fix. Where there is no estimate, one is made of the horizontal dilution and marked.
/// - **Height**: `altHAE` and `altMSL`; `alt` only where both are missing, as before 3.20, and then above mean sea level.
/// - **Time**: as the receiver says, with dates before ``notBefore`` moved by rounds of 1024 weeks.
/// - **Speed, height and climb** that nothing on or near the Earth has are a problem, and left out.
/// - **Solution**: by `status`; 8 is simulated. gpsd leaves out what is normal or unknown, and so does the fix.
/// - **Satellites**: in the numbering of NMEA 0183. A SKY report without a list changes the dilutions only.
///
/// Like every decoder a value without a clock, that never traps on what it is fed. Not read are GST, TOFF, PPS, OSC, IMU,
/// RAW, and the reports of other radio systems.
public struct GPSDDecoder: Sendable {
  /// The longest line that is looked at, in bytes. gpsd's own limit is 10,240; newer ones may have more to say.
  public static let longestLine = 65_536

  private var lines = LineSplitter(limit: GPSDDecoder.longestLine)
  private var reader = GPSDLineReader()

  /// A decoder at the beginning of a connection.
  public init() {}

  /// The instant before which no report can have been made; `nil` for none.
  ///
  /// Receivers that lost count of GPS weeks give dates that are whole rounds of 1024 weeks too early, and gpsd hands them
  /// on. Rounds are added until the date is not before this one. For live receivers.
  public var notBefore: UTCTime? {
    get { reader.notBefore }
    set { reader.notBefore = newValue }
  }

  /// How many well-formed objects there were of classes that are not read, and sentences of NMEA 0183.
  public var unread: Int { reader.unread }

  /// Decodes the next bytes, appending a report for each line they complete.
  ///
  /// The buffer is not kept after the call.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into batch: inout GPSDBatch) {
    lines.split(bytes) { reader.read($0, into: &batch) }
  }

  /// Decodes the next bytes of an array.
  public mutating func decode(_ bytes: [UInt8], into batch: inout GPSDBatch) {
    bytes.withUnsafeBytes { decode($0, into: &batch) }
  }

  /// The connection has ended, and another may follow: a line that was begun is forgotten, which instants were told is
  /// not.
  public mutating func disconnect() {
    lines = LineSplitter(limit: GPSDDecoder.longestLine)
    reader.disconnect()
  }
}

/// Reads one line after the other.
struct GPSDLineReader {
  /// More devices than any gpsd takes; names beyond would only be somebody's mischief.
  private static let mostDevices = 64
  /// What gpsd cuts objects at, without what ends a line.
  private static let cut = 10_238

  private var epochs: [String: GPSDEpochs] = [:]
  private(set) var unread = 0
  var notBefore: UTCTime?

  mutating func disconnect() {
    for device in epochs.keys { epochs[device]?.forgetCurrent() }
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
        unread &+= 1
      } else {
        report(.garbage, "a line that is no object of gpsd's")
      }
      return
    }
    var start = 0
    while true {
      if let object = GPSDObject(steppingOver: &scanner), scanner.peek() == nil {
        if let problem = take(object, into: &batch) { report(problem.kind, problem.detail) }
        return
      }
      report(scanner.position < line.bytes.count ? .malformed : .truncated, at: scanner.position, "an object")
      guard let next = Self.nextObject(in: line.bytes, after: start) else { return }
      start = next
      scanner.position = next
    }
  }

  /// Where an object begins that follows one which was cut, and which began there.
  private static func nextObject(in bytes: UnsafeRawBufferPointer, after begin: Int) -> Int? {
    guard bytes.count > cut else { return nil }
    let opening: StaticString = "{\"class\":\""
    let count = opening.utf8CodeUnitCount
    // One that begins earlier belongs to the one that was cut.
    var start = max(begin + 1, cut - 16)
    while start + count <= bytes.count {
      if UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]).equals(opening) { return start }
      start += 1
    }
    return nil
  }

  private struct Problem {
    let kind: InputProblem.Kind
    let detail: StaticString
  }

  /// Reads one object.
  ///
  /// - Returns: what is wrong with it.
  private mutating func take(_ object: GPSDObject, into batch: inout GPSDBatch) -> Problem? {
    switch GPSDClass(of: object) {
    case .tpv:
      var position = GPSDPosition(object)
      position.time = position.time?.movedByRollovers(notBefore: notBefore)
      return take(position, into: &batch)
    case .sky:
      var sky = GPSDSky(object)
      sky.time = sky.time?.movedByRollovers(notBefore: notBefore)
      take(sky, into: &batch)
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
    case .other: unread &+= 1
    case .missing: return Problem(kind: .missing, detail: "an object without its class")
    }
    return nil
  }

  private mutating func take(_ position: GPSDPosition, into batch: inout GPSDBatch) -> Problem? {
    guard position.mode != nil else { return Problem(kind: .missing, detail: "a TPV without its mode") }
    withEpochs(of: position.device) { $0.take(position) { batch.reports.append($0) } }
    if position.hasPosition, position.isNowhere {
      return Problem(kind: .badCoordinate, detail: "lat or lon of a TPV")
    }
    if position.hasBadTime { return Problem(kind: .badTime, detail: "time of a TPV") }
    return position.hasBadNumber ? Problem(kind: .badNumber, detail: "a member of a TPV") : nil
  }

  private mutating func take(_ sky: GPSDSky, into batch: inout GPSDBatch) {
    withEpochs(of: sky.device) { $0.take(sky) }
    guard let satellites = sky.satellites else { return }
    batch.reports.append(
      .satellites(SatellitesInView(satellites: satellites, time: sky.time), device: sky.device))
  }

  private mutating func withEpochs(of device: String?, _ body: (inout GPSDEpochs) -> Void) {
    let name = device ?? ""
    if epochs.count >= Self.mostDevices, epochs[name] == nil { epochs.removeAll() }
    body(&epochs[name, default: GPSDEpochs()])
  }
}
