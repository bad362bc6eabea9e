/// A client's request to gpsd.
public enum GPSDRequest: Hashable, Sendable {
  /// `?VERSION;`
  case version
  /// `?DEVICES;`
  case devices
  /// `?DEVICE;` or `?DEVICE={…};`, which would also configure the device.
  case device
  /// `?WATCH;`: requests the state of the watch.
  case watch
  /// `?WATCH={…};`: sets the watch; a member is `nil` if unstated.
  case setWatch(isEnabled: Bool?, isJSON: Bool?, isNMEA: Bool?, device: String?)
  /// `?POLL;`
  case poll
  /// Any other request, as written.
  case unknown(String)
}

/// A reader of clients' requests, from chunks of any size.
///
/// A request begins with `?` and ends with a semicolon or a line's end; several may stand on a line. After 1024
/// bytes, the rest of a line is skipped.
public struct GPSDRequestReader: Sendable {
  private static let maxLineLength = 1024

  private var lines = LineSplitter(limit: GPSDRequestReader.maxLineLength)

  /// Creates a reader at the beginning of a connection.
  public init() {}

  /// Reads the next bytes, and passes each completed request.
  public mutating func read(_ bytes: UnsafeRawBufferPointer, _ take: (GPSDRequest) -> Void) {
    lines.split(bytes) { line in
      guard !line.isTooLong else { return take(.unknown("")) }
      var scanner = JSONScanner(line.bytes)
      while let request = GPSDRequest(&scanner) { take(request) }
    }
  }
}

extension GPSDRequest {
  /// Creates the next request on a line; `nil` where there is none.
  fileprivate init?(_ scanner: inout JSONScanner) {
    while scanner.accept(";") {}
    guard scanner.peek() != nil else { return nil }
    let start = scanner.position
    let bytes = scanner.bytes
    func isAt(_ mark: Unicode.Scalar, _ position: Int) -> Bool { bytes[position] == UInt8(ascii: mark) }
    while scanner.position < bytes.count, !isAt(";", scanner.position), !isAt("=", scanner.position) {
      scanner.position += 1
    }
    let name = UnsafeRawBufferPointer(rebasing: bytes[start..<scanner.position])
    let hasArgument = scanner.position < bytes.count && isAt("=", scanner.position)
    var argument: GPSDObject?
    if hasArgument {
      scanner.position += 1
      argument = GPSDObject(steppingOver: &scanner)
      if argument == nil {
        // The end of an unreadable request is unknown.
        scanner.position = bytes.count
        self = .unknown(String(decoding: bytes[start...], as: UTF8.self))
        return
      }
    }
    self =
      GPSDRequest(name, argument)
      ?? .unknown(String(decoding: bytes[start..<scanner.position], as: UTF8.self))
  }

  private init?(_ name: UnsafeRawBufferPointer, _ argument: GPSDObject?) {
    if name.equals("?VERSION") {
      self = .version
    } else if name.equals("?DEVICES") {
      self = .devices
    } else if name.equals("?DEVICE") {
      self = .device
    } else if name.equals("?POLL") {
      self = .poll
    } else if name.equals("?WATCH") {
      guard let argument else {
        self = .watch
        return
      }
      var isEnabled: Bool?, isJSON: Bool?, isNMEA: Bool?, device: String?
      argument.eachMember { name, value in
        if name.equals("enable") { isEnabled = value.flag }
        if name.equals("json") { isJSON = value.flag }
        if name.equals("nmea") { isNMEA = value.flag }
        if name.equals("device") { device = argument.string(value) }
      }
      self = .setWatch(isEnabled: isEnabled, isJSON: isJSON, isNMEA: isNMEA, device: device)
    } else {
      return nil
    }
  }
}
