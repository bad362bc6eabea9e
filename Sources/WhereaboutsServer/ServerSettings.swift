public import Foundation
import WhereaboutsSystem

/// The settings of a server.
public struct ServerSettings: Sendable {
  /// The certificate and key of TLS.
  public struct TLSFiles: Hashable, Sendable {
    /// The path of the certificate chain, in PEM.
    public var certificate: String
    /// The path of the private key, in PEM.
    public var key: String

    /// Creates the paths.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// The address or name to listen at.
  public var host = "127.0.0.1"
  /// The port; 0 chooses a free one.
  public var port = 8080
  /// The files of TLS; `nil` serves plain HTTP.
  public var tls: TLSFiles?
  /// Whether plain HTTP may leave this machine, behind a proxy that has TLS.
  public var allowsPlainHTTP = false
  /// The port of a second listener that accepts fixes of OsmAnd and Traccar Client at its root; `nil` for none.
  public var osmAndPort: Int?
  /// The path of a Unix socket for the commands of the server's user, which need no token there; `nil` for none. If the
  /// socket can't be created, the server runs without it.
  public var socket: String?
  /// The time zone whose midnights divide the trips of days. It is also that of times in notifications, of the times that
  /// recordings state where they state no offset, and of the configuration that the app of Home Assistant asks for.
  public var timeZone = TimeZone.current
  /// The limits of requests.
  public var limits = ServerLimits()
  /// The proxies whose statement of a client's address counts.
  package var trustedProxies = TrustedProxies()
  /// The MQTT broker and the published data; `nil` for none.
  package var mqtt: MQTTSettings?

  /// The alerts; `nil` for none.
  package var alerts: AlertSettings?

  /// The tiles of the page's map; `nil` for a drawn grid.
  package var tiles: MapTiles?

  /// The settings of phones.
  package var phones = PhonesSettings()

  /// Creates the standard settings: loopback only.
  public init() {}

  /// Whether only this machine can reach the server.
  var isLoopback: Bool { host.isLoopbackHost }
}
