import Foundation
import Logging

extension ServerConfiguration {
  /// Returns the settings in force, a line for each.
  ///
  /// - Parameter storeFile: the store's file: the standard one, or the one that the given path names.
  package func summary(storeFile: String) -> String {
    ServerSetting.allCases.map { setting in
      let value = values[setting]
      let text = value?.text ?? standard(of: setting, store: storeFile)
      return "\(setting.rawValue)=\(text) (\(value?.origin.description ?? "standard"))"
    }
    .joined(separator: "\n")
  }

  private func standard(of setting: ServerSetting, store: String) -> String {
    let limits = settings.limits
    return switch setting {
    case .listen: "\(settings.host):\(settings.port)"
    case .store: store
    case .source, .tlsCertificate, .tlsKey, .osmAndPort, .retentionAge, .alerts, .phones, .mqttBroker,
      .mqttPasswordFile, .mqttCAFile, .mqttDevices, .mqttOwnTracks, .mqttOwnTracksPublish, .tiles,
      .tilesAttribution, .trustedProxies:
      ""
    case .tilesZoom: "0-19"
    case .mqttPrefix: "whereabouts"
    case .mqttDiscovery: "homeassistant"
    case .mqttFences: "*"
    case .mqttPlaces: "zones"
    case .mqttRepetition: "1h"
    case .plainHTTP, .logJSON: "no"
    case .socket: "\(store).socket"
    case .timeZone: settings.timeZone.identifier
    case .logLevel: logLevel.rawValue
    case .maximumBody: "\(limits.bodySize >> 20)M"
    case .maximumRequests: "\(limits.ingestions)"
    case .maximumStreams: "\(limits.streams)"
    case .maximumConnections: "\(limits.connections)"
    case .maximumWait: "\(limits.longestWait.components.seconds)s"
    case .bodyTimeout: "\(limits.bodyTimeout.components.seconds)s"
    case .idleTimeout: "\(limits.idleTimeout.components.seconds)s"
    case .keepAlive: "\(limits.keepAlive.components.seconds)s"
    }
  }

  /// Returns the settings whose values, or whose files, differ from those of another configuration.
  package func changes(to other: ServerConfiguration) -> [ServerSetting] {
    ServerSetting.allCases.filter {
      values[$0]?.text != other.values[$0]?.text || hasOtherContent(of: $0, than: other)
    }
  }

  /// Returns whether the file of a setting had another content when the other configuration was read.
  private func hasOtherContent(of setting: ServerSetting, than other: ServerConfiguration) -> Bool {
    let new = other.settings
    return switch setting {
    case .alerts:
      settings.alerts?.alerts != new.alerts?.alerts || settings.alerts?.channels != new.alerts?.channels
    case .phones: settings.phones.phones != new.phones.phones
    case .mqttPasswordFile: settings.mqtt?.password != new.mqtt?.password
    default: false
    }
  }
}
