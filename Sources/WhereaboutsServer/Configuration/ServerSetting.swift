/// A setting of `whereabouts serve`, by its key in a configuration file.
package enum ServerSetting: String, CaseIterable, Sendable {
  case listen = "LISTEN"
  case store = "STORE"
  case source = "SOURCE"
  case tlsCertificate = "TLS_CERTIFICATE"
  case tlsKey = "TLS_KEY"
  case plainHTTP = "PLAIN_HTTP"
  case trustedProxies = "TRUSTED_PROXIES"
  case osmAndPort = "OSMAND_PORT"
  case socket = "SOCKET"
  case timeZone = "TIME_ZONE"
  case retentionAge = "RETENTION_AGE"
  case logLevel = "LOG_LEVEL"
  case logJSON = "LOG_JSON"
  case maximumBody = "MAX_BODY"
  case maximumRequests = "MAX_REQUESTS"
  case maximumStreams = "MAX_STREAMS"
  case maximumConnections = "MAX_CONNECTIONS"
  case maximumWait = "MAX_WAIT"
  case bodyTimeout = "BODY_TIMEOUT"
  case idleTimeout = "IDLE_TIMEOUT"
  case keepAlive = "KEEP_ALIVE"
  case alerts = "ALERTS"
  case phones = "PHONES"
  case tiles = "TILES"
  case tilesAttribution = "TILES_ATTRIBUTION"
  case tilesZoom = "TILES_ZOOM"
  case mqttBroker = "MQTT_BROKER"
  case mqttPasswordFile = "MQTT_PASSWORD_FILE"
  case mqttCAFile = "MQTT_CA_FILE"
  case mqttPrefix = "MQTT_PREFIX"
  case mqttDiscovery = "MQTT_DISCOVERY"
  case mqttDevices = "MQTT_DEVICES"
  case mqttFences = "MQTT_FENCES"
  case mqttPlaces = "MQTT_PLACES"
  case mqttOwnTracks = "MQTT_OWNTRACKS"
  case mqttOwnTracksPublish = "MQTT_OWNTRACKS_PUBLISH"
  case mqttRepetition = "MQTT_REPEAT"

  /// The prefix of the environment's variables. Lines of a file may have it too.
  package static let prefix = "WHEREABOUTS_"

  /// The name in the environment.
  package var variable: String { Self.prefix + rawValue }

  /// Creates the setting of a key, with or without the prefix.
  init?(key: some StringProtocol) {
    self.init(
      rawValue: String(
        key.hasPrefix(Self.prefix) ? key[key.index(key.startIndex, offsetBy: Self.prefix.count)...] : key[...]
      ))
  }

  /// Whether a running server applies a new value.
  package var isLive: Bool {
    switch self {
    case .tlsCertificate, .tlsKey, .logLevel, .maximumBody, .maximumRequests, .maximumStreams,
      .maximumConnections, .maximumWait, .bodyTimeout, .phones, .trustedProxies:
      true
    case .listen, .store, .source, .plainHTTP, .osmAndPort, .socket, .timeZone, .retentionAge, .logJSON,
      .idleTimeout, .keepAlive, .alerts, .tiles, .tilesAttribution, .tilesZoom, .mqttBroker,
      .mqttPasswordFile, .mqttCAFile, .mqttPrefix, .mqttDiscovery, .mqttDevices, .mqttFences, .mqttPlaces,
      .mqttOwnTracks, .mqttOwnTracksPublish, .mqttRepetition:
      false
    }
  }

  /// The form of a value, as the end of "must be …".
  var form: String {
    switch self {
    case .listen: "HOST:PORT or PORT, as in 127.0.0.1:8080 or [::1]:8080"
    case .store, .alerts, .phones, .tlsCertificate, .tlsKey, .mqttPasswordFile, .mqttCAFile:
      "the path of a file"
    case .mqttBroker: "a broker without a password, as in mqtt://user@host:1883 or mqtts://host"
    case .mqttPrefix:
      "the first levels of topics without #, + and blanks, as in whereabouts or home/whereabouts"
    case .mqttDiscovery: "the prefix of Home Assistant's discovery, as a rule homeassistant, or no"
    case .mqttDevices, .mqttFences: "names with commas between, as in anna,ben, or * for all"
    case .mqttPlaces: "zones, exact, or the size of a grid from 10m to 1000km, as in 500m"
    case .mqttOwnTracks: "USER/DEVICE=NAME with commas between, as in anna/phone=anna,ben/pixel=ben"
    case .mqttOwnTracksPublish: "NAME=USER/DEVICE with commas between, as in anna=home/anna,ben=home/ben"
    case .tiles: "an address with {z}, {x} and {y}, as in https://tiles.example.org/{z}/{x}/{y}.png"
    case .tilesAttribution: "a text, at its end perhaps an address over HTTPS"
    case .tilesZoom: "two zooms from 0 to 21, as in 0-19"
    case .mqttRepetition: "a time from 0s to 30d, as in 1h"
    case .source:
      "a source, as in gpsd, nmea:/dev/ttyACM0 or replay:FILE, or live sources with commas between"
    case .plainHTTP, .logJSON: "yes or no"
    case .trustedProxies:
      "addresses and networks of proxies with commas between, as in 127.0.0.1,172.16.0.0/12,fd00::/8"
    case .osmAndPort: "a port from 0 to 65535, as in 5055; 0 takes a free one"
    case .socket: "the path of a Unix socket of at most 107 bytes, or no"
    case .timeZone: "a time zone's name, as in Europe/Zurich"
    case .retentionAge: "a time of at least an hour, as in 30d or 12h"
    case .logLevel: "error, warning, notice, info or debug"
    case .maximumBody: "a size from 1K to 1G, as in 16M"
    case .maximumRequests: "a whole number from 1 to 100000"
    case .maximumStreams, .maximumConnections: "a whole number from 1 to 1000000"
    case .maximumWait, .bodyTimeout, .idleTimeout, .keepAlive: "a time from 1s to 1h, as in 90s or 5m"
    }
  }
}
