import NIOCore
import WhereaboutsModel
package import WhereaboutsFormats

/// The version and the devices of a gpsd server. The probe does not activate any device.
package struct GPSDProbe: Equatable, Sendable {
  package var release: String
  package var devices: [GPSDDevice]

  /// Queries a gpsd server; returns `nil` if no server answers with the protocol of gpsd.
  package static func query(host: String, port: Int, timeout: Duration) async -> GPSDProbe? {
    let (events, inlet) = AsyncStream.makeStream(of: GPSDTransport.Event.self)
    let transport = GPSDTransport(host: host, port: port, events: inlet)
    defer { transport.close() }
    transport.connect()
    transport.scheduleTimer(at: Instant(timeout), now: .start)
    var decoder = GPSDDecoder()
    var batch = GPSDBatch()
    var release: String?
    var devices: [GPSDDevice]?
    events: for await event in events where transport.isCurrent(event) {
      switch event.event {
      case .connected: break
      case .bytes(let bytes): bytes.withUnsafeReadableBytes { decoder.decode($0, into: &batch) }
      case .demand, .connectionFailed, .closed, .timerFired: break events
      }
      for report in batch.reports {
        switch report {
        case .version(let version):
          release = version.release
          // A server with another protocol gets no query.
          transport.send("?DEVICES;\n")
        case .devices(let list): devices = list
        default: break
        }
      }
      batch.removeAll()
      if release != nil, devices != nil { break }
      transport.readMore(after: event)
    }
    return release.map { GPSDProbe(release: $0, devices: devices ?? []) }
  }
}
