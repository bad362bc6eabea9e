import Foundation

/// A private message bus like the system bus, with a folder for the files of a test. Both are removed with their owner.
final class PrivateBus: Sendable {
  let folder: String
  let address: String
  private let daemon: LiveProcess

  /// Starts the bus and waits until it is reachable.
  init() async throws {
    // The length of a socket path is limited to about a hundred bytes.
    folder = "/tmp/whereabouts-\(UInt32.random(in: .min ... .max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    address = "unix:path=\(folder)/bus"
    try Self.configuration(address).write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
    daemon = try LiveProcess(
      "dbus-daemon", ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address=1"])
    for await _ in daemon.lines { return }
    throw BusError(description: "could not start a bus: \(daemon.errors)")
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Ends the bus and all connections to it.
  func end() async { await daemon.end(with: SIGKILL) }

  /// Returns a configuration that allows everything.
  private static func configuration(_ address: String) -> String {
    let types = ["method_call", "signal", "method_return", "error"]
    let receiving = types.map { "<allow receive_type=\"\($0)\"/>" }.joined()
    return """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>system</type><listen>\(address)</listen><auth>EXTERNAL</auth>
        <policy context="default">
          <allow user="*"/><allow own="*"/>
          <allow send_type="method_call"/><allow send_type="signal"/>
          <allow send_requested_reply="true" send_type="method_return"/>
          <allow send_requested_reply="true" send_type="error"/>
          \(receiving)
        </policy>
      </busconfig>
      """
  }
}

struct BusError: Error, CustomStringConvertible {
  let description: String
}

/// The wall clock in whole seconds, as in the service's timestamps.
func wallSeconds() -> UInt64 { UInt64(Date().timeIntervalSince1970) }
