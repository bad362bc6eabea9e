#if Server
  import ArgumentParser
  import Foundation
  import WhereaboutsOperations
  import WhereaboutsSources
  import WhereaboutsServer
  import WhereaboutsStore

  /// The settings of `whereabouts serve` as flags. The values are checked together with those of the environment and of
  /// the file, so that every mistake is reported at once.
  struct ServeOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp("Configuration file with lines of KEY=value. (default: none)", valueName: "file"),
      completion: .file())
    var config: String?

    @Option(
      help: ArgumentHelp(
        "Address to listen at; port 0 selects a free port. (default: 127.0.0.1:8080)", valueName: "host:port")
    )
    var listen: String?

    @Option(
      name: .customLong("source"),
      help: ArgumentHelp(
        "Source of this machine's own fixes, as for `watch`; repeatable for failover. (default: none)",
        valueName: "source"))
    var sources: [String] = []

    @Option(
      help: ArgumentHelp(
        "Store file. (default: \(StorePath.standardDescription))",
        valueName: "file"), completion: .file(extensions: ["sqlite"]))
    var store: String?

    @Option(
      help: ArgumentHelp("TLS certificate chain in PEM. (default: none)", valueName: "file"),
      completion: .file())
    var tlsCertificate: String?

    @Option(
      help: ArgumentHelp("TLS private key in PEM. (default: none)", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Flag(help: "Allow plain HTTP beyond this machine. Use this flag only behind a proxy with TLS.")
    var plainHTTP = false

    @Option(
      help: ArgumentHelp(
        "Proxies whose X-Forwarded-For names the client, as in 127.0.0.1,fd00::/8. (default: none)",
        valueName: "networks"))
    var trustedProxies: String?

    @Option(
      help: ArgumentHelp(
        "Additional port for OsmAnd and Traccar Client only, usually 5055. (default: none)", valueName: "port"
      ))
    var osmandPort: String?

    @Option(
      help: ArgumentHelp(
        "Unix socket for this user's commands, or no. (default: the store's name with .socket)",
        valueName: "file"), completion: .file())
    var socket: String?

    @Option(
      help: ArgumentHelp(
        "Time zone of daily trips, of notifications, and of stated times without an offset. (default: the system's)",
        valueName: "name"))
    var timeZone: String?

    @Option(
      help: ArgumentHelp(
        """
        URL of the MQTT broker, as in mqtt://user@host or mqtts://host; docs/mqtt.md has more settings. \
        (default: none)
        """, valueName: "url"))
    var mqttBroker: String?

    @Option(
      help: ArgumentHelp(
        "Devices whose states and crossings go to the broker, as in anna,ben, or * for all. (default: none)",
        valueName: "names"))
    var mqttDevices: String?

    @Option(
      help: ArgumentHelp(
        """
        File of alerts: conditions on crossings, with webhooks and commands; docs/alerts.md describes the file. \
        (default: none)
        """, valueName: "file"), completion: .file(extensions: ["json"]))
    var alerts: String?

    @Option(
      help: ArgumentHelp(
        """
        File of phone settings: speed units and OwnTracks passphrases; docs/phones.md describes the file. \
        (default: none)
        """, valueName: "file"), completion: .file(extensions: ["json"]))
    var phones: String?

    @Option(
      help: ArgumentHelp(
        "Log level: error, warning, notice, info or debug. (default: notice)", valueName: "level"))
    var logLevel: String?

    @Flag(help: "Log JSON, one object per line.")
    var logJSON = false

    @Option(
      help: ArgumentHelp(
        "Any setting by its key, as in MAX_BODY=8M; repeatable.", valueName: "key=value"))
    var set: [String] = []

    init() {}

    /// The places from which the configuration is read.
    var input: ServerConfiguration.Input {
      var input = ServerConfiguration.Input()
      input.environment = ProcessInfo.processInfo.environment
      input.file = config
      input.checkSource = { SourceName.problem(ofList: $0) }
      let flags: [(ServerSetting, String, String?)] = [
        (.listen, "--listen", listen), (.source, "--source", sourceList), (.store, "--store", store),
        (.tlsCertificate, "--tls-certificate", tlsCertificate), (.tlsKey, "--tls-key", tlsKey),
        (.plainHTTP, "--plain-http", plainHTTP ? "yes" : nil), (.osmAndPort, "--osmand-port", osmandPort),
        (.trustedProxies, "--trusted-proxies", trustedProxies), (.socket, "--socket", socket),
        (.timeZone, "--time-zone", timeZone), (.logLevel, "--log-level", logLevel),
        (.mqttBroker, "--mqtt-broker", mqttBroker), (.mqttDevices, "--mqtt-devices", mqttDevices),
        (.alerts, "--alerts", alerts), (.phones, "--phones", phones),
        (.logJSON, "--log-json", logJSON ? "yes" : nil),
      ]
      for text in set { input.set(text) }
      for case (let setting, let flag, let text?) in flags {
        input.flags[setting] = SettingValue(text, .flag(flag))
      }
      return input
    }

    /// The sources as one value of the configuration.
    private var sourceList: String? { sources.isEmpty ? nil : sources.joined(separator: ",") }

    // MARK: systemd

    /// Returns the unit that runs this program with these options.
    func unit(for configuration: ServerConfiguration, over store: StorePath) throws -> ServiceUnit {
      guard let program = Bundle.main.executablePath else {
        throw CommandError("could not find the path of this program")
      }
      // A store of this user's environment is not the service's.
      let isGiven = configuration.values[.store].map { !$0.origin.isVariable } ?? false
      let folder = isGiven ? ServerConfiguration.Input.absolute(store.file) : nil
      let sources = configuration.source.map(ServerConfiguration.Input.absoluteSources)
      let devices = try sources.map { try SourceName(list: $0).devices } ?? []
      return ServiceUnit(
        program: program, arguments: input.arguments,
        storeFolder: folder.map { String($0[..<($0.lastIndex(of: "/") ?? $0.endIndex)]) },
        devices: devices, groups: SerialDeviceGroups.names(of: devices),
        ports: [configuration.settings.port, configuration.settings.osmAndPort].compactMap(\.self))
    }
  }
#endif
