import Foundation
package import Logging
package import WhereaboutsStore

/// The configuration of `whereabouts serve`, read from flags, environment and file.
package struct ServerConfiguration: Sendable {
  /// The settings of the server.
  package var settings = ServerSettings()
  /// The store's file as given; `nil` for the standard one.
  package var store: String?
  /// Whether commands can connect over a Unix socket; without a configured path, the socket is beside the store.
  package var hasSocket = true
  /// The source of this machine's fixes as given; `nil` for none.
  package var source: String?
  /// The greatest age of stored fixes; `nil` keeps all.
  package var retentionAge: Duration?
  /// The least severe messages that are logged.
  package var logLevel = Logger.Level.notice
  /// Whether each line of the log is a JSON object.
  package var logsJSON = false
  /// The values as given.
  package private(set) var values: [ServerSetting: SettingValue] = [:]
  /// The dangers of a configuration that is valid, with their remedies.
  package private(set) var warnings: [ConfigurationProblem] = []

  /// The inputs of a configuration: flags, environment and file.
  package struct Input: Sendable {
    /// The texts of flags.
    package var flags: [ServerSetting: SettingValue] = [:]
    /// The environment of the process.
    package var environment: [String: String] = [:]
    /// The configuration file; `nil` for the one that the environment names, if any.
    package var file: String?
    /// Returns the problem of a source's text; `nil` if the text is valid.
    package var checkSource: @Sendable (String) -> String? = { _ in nil }
    /// Problems of the flags that were found before.
    package var problems: [ConfigurationProblem] = []

    /// Creates an empty input.
    package init() {}
  }

  /// Reads a configuration.
  ///
  /// - Throws: all problems of the configuration at once.
  package init(_ input: Input) throws(ConfigurationProblems) {
    let environment = ConfigurationEnvironment(input.environment)
    let file = (input.file ?? environment.file).map { ConfigurationFile(path: $0) }
    values =
      SettingLayers(flags: input.flags, environment: environment.values, file: file?.values ?? [:]).values
    var reader = SettingReader(values)
    readAddressesAndStore(&reader, checkSource: input.checkSource)
    readTLS(&reader)
    readLimits(&reader)
    readLog(&reader)
    settings.mqtt = MQTTSettings(&reader)
    readAlerts(&reader)
    readPhones(&reader)
    settings.tiles = MapTiles(&reader)
    let problems = input.problems + environment.problems + (file?.problems ?? []) + reader.problems
    guard problems.isEmpty else { throw ConfigurationProblems(all: problems) }
    warnings = reader.warnings
  }

  private mutating func readAddressesAndStore(_ reader: inout SettingReader, checkSource: (String) -> String?)
  {
    if let address = reader.read(.listen, ListenAddress.init) {
      settings.host = address.host
      settings.port = address.port
    }
    settings.trustedProxies = reader.read(.trustedProxies) { TrustedProxies($0) } ?? TrustedProxies()
    settings.osmAndPort = reader.read(.osmAndPort) { $0.integer(in: 0...65_535) }
    if let port = settings.osmAndPort, port != 0, port == settings.port {
      reader.report(.osmAndPort, "LISTEN has the port \(port) too. Choose another one.")
    }
    settings.socket = reader.read(.socket) { OwnerSocket.isPath($0.text) || $0.bool == false ? $0.text : nil }
    if let socket = settings.socket, !OwnerSocket.isPath(socket) {
      (hasSocket, settings.socket) = (false, nil)
    }
    store = reader.read(.store) { $0.text.isEmpty ? nil : $0.text }
    source = reader.read(.source) { $0.text.isEmpty ? nil : $0.text }
    if let source, let problem = checkSource(source) { reader.report(.source, problem) }
    settings.timeZone = reader.read(.timeZone) { TimeZone(identifier: $0.text) } ?? .current
    retentionAge = reader.read(.retentionAge) {
      $0.duration(in: .seconds(3600)...(.seconds(100 * 365 * 86_400)))
    }
  }

  private mutating func readTLS(_ reader: inout SettingReader) {
    settings.allowsPlainHTTP = reader.read(.plainHTTP, \.bool) ?? false
    let certificate = reader.read(.tlsCertificate) { $0.text.isEmpty ? nil : $0.text }
    let key = reader.read(.tlsKey) { $0.text.isEmpty ? nil : $0.text }
    switch (certificate, key) {
    case (let certificate?, let key?):
      let files = ServerSettings.TLSFiles(certificate: certificate, key: key)
      settings.tls = files
      for (setting, problem) in files.problems { reader.report(setting, problem) }
      if let warning = SecretFile.warning(of: key) { reader.warn(.tlsKey, warning) }
    case (.some, nil) where values[.tlsKey] == nil:
      reader.report(.tlsCertificate, "TLS_KEY is missing. A certificate needs its private key.")
    case (nil, .some) where values[.tlsCertificate] == nil:
      reader.report(.tlsKey, "TLS_CERTIFICATE is missing. A private key needs its certificate.")
    case (nil, nil) where !settings.isLoopback && !settings.allowsPlainHTTP:
      reader.report(
        .listen,
        """
        Listening at \(settings.host) without TLS would send tokens and places in the clear. Set TLS_CERTIFICATE and \
        TLS_KEY, or PLAIN_HTTP=yes behind a proxy that has TLS.
        """)
    default: break
    }
  }

  private mutating func readLimits(_ reader: inout SettingReader) {
    let time = Duration.seconds(1)...Duration.seconds(3600)
    func set<Value>(
      _ setting: ServerSetting, _ path: WritableKeyPath<ServerLimits, Value>,
      _ parse: (SettingText) -> Value?
    ) {
      if let value = reader.read(setting, parse) { settings.limits[keyPath: path] = value }
    }
    set(.maximumBody, \.bodySize) { $0.size(in: 1 << 10...1 << 30) }
    set(.maximumRequests, \.ingestions) { $0.integer(in: 1...100_000) }
    set(.maximumStreams, \.streams) { $0.integer(in: 1...1_000_000) }
    set(.maximumConnections, \.connections) { $0.integer(in: 1...1_000_000) }
    set(.maximumWait, \.longestWait) { $0.duration(in: time) }
    set(.bodyTimeout, \.bodyTimeout) { $0.duration(in: time) }
    set(.idleTimeout, \.idleTimeout) { $0.duration(in: time) }
    set(.keepAlive, \.keepAlive) { $0.duration(in: time) }
  }

  private mutating func readAlerts(_ reader: inout SettingReader) {
    guard let file = reader.read(.alerts, { $0.text.isEmpty ? nil : $0.text }) else { return }
    do throws(SettingsFile.ParseError) {
      let alerts = try AlertFile.settings(atPath: file)
      settings.alerts = alerts
      for warning in alerts.warnings { reader.warn(.alerts, "\(file): \(warning)") }
    } catch {
      reader.report(.alerts, "\(file): \(error.message)")
    }
  }

  private mutating func readPhones(_ reader: inout SettingReader) {
    guard let file = reader.read(.phones, { $0.text.isEmpty ? nil : $0.text }) else { return }
    do throws(SettingsFile.ParseError) {
      settings.phones = try PhoneFile.settings(atPath: file)
      for warning in settings.phones.warnings { reader.warn(.phones, "\(file): \(warning)") }
    } catch {
      reader.report(.phones, "\(file): \(error.message)")
    }
  }

  private mutating func readLog(_ reader: inout SettingReader) {
    logLevel =
      reader.read(.logLevel) { text in
        [.error, .warning, .notice, .info, .debug].first { $0.rawValue == text.text.lowercased() }
      } ?? .notice
    logsJSON = reader.read(.logJSON, \.bool) ?? false
  }
}

extension ServerConfiguration {
  /// The settings of the store.
  package var storeSettings: StoreSettings {
    var settings = StoreSettings()
    settings.retention.age = retentionAge
    return settings
  }
}

extension ServerConfiguration.Input {
  /// Adds a setting by its key, as in `MAX_BODY=8M`.
  package mutating func set(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      problems.append(ConfigurationProblem(.flag("--set"), "Write --set KEY=value, as in --set MAX_BODY=8M."))
      return
    }
    guard let setting = ServerSetting(key: parts[0]) else {
      problems.append(ConfigurationProblem(.flag("--set"), UnknownKey.text(parts[0])))
      return
    }
    flags[setting] = SettingValue(String(parts[1]), .flag("--set \(setting.rawValue)"))
  }
}
