#if Server
  import ArgumentParser
  import Logging
  import Whereabouts
  import WhereaboutsModel
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsSources
  import WhereaboutsStore

  /// `whereabouts serve`: runs the server for phones, pages and programs.
  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "serve", abstract: "Serve phones, web pages and programs over HTTP.",
      discussion: """
        Receives fixes from phones and trackers (OwnTracks, Overland, Traccar Client, OsmAnd, GPSLogger and \
        others) and from --source. Stores the fixes, monitors the fences for every device, and serves an API under \
        /api/v1. docs/server.md describes the API, and docs/phones.md the settings of each app.

        Prints "ready: URL" on standard error when the server accepts requests. If the store has no tokens, the \
        server creates an administrator's token and prints the token once on standard output. `whereabouts token \
        create` creates a token for each phone, and `whereabouts serve rejected` lists the rows from phones that the \
        server could not read.

        By default, only this machine can connect. --listen allows other machines and requires a certificate, or \
        --plain-http behind a proxy with TLS. SIGTERM and Ctrl-C stop the server without loss of acknowledged \
        data. SIGHUP reloads the configuration.

        A flag overrides the environment (WHEREABOUTS_LISTEN and so on), and the environment overrides the file of \
        --config (lines such as LISTEN=127.0.0.1:8080). --check reports every error with its position. \
        docs/server.md lists the keys.

        Examples:
          whereabouts serve
          whereabouts serve --source 'replay:Samples/city-drive.nmea?speed=20'
          whereabouts serve --listen 0.0.0.0:8443 --tls-certificate cert.pem --tls-key key.pem
          whereabouts serve --config /etc/whereabouts.conf --check
          whereabouts serve --config /etc/whereabouts.conf --systemd

        Exit codes: 0 success, after SIGTERM or Ctrl-C, 1 failure, 2 usage error or refused port, 4 permission \
        denied, 7 port or store in use by another program.
        """)

    @OptionGroup var options: ServeOptions

    @Flag(help: "Check the configuration, print the effective settings, and exit.")
    var check = false

    @Flag(help: "Print a systemd unit that runs this server with these options, and exit.")
    var systemd = false

    func validate() throws {
      if check, systemd { throw ValidationError("--check and --systemd can't be combined") }
    }

    func run() async throws {
      let input = options.input
      let configuration: ServerConfiguration
      do throws(ConfigurationProblems) { configuration = try ServerConfiguration(input) } catch {
        let lines = error.all.map { "whereabouts: \($0)" }
        StandardError.print(lines.joined(separator: "\n"))
        throw CommandError("", code: .usage)
      }
      let path = try StoreSelection(file: configuration.store, device: nil).path()
      if check {
        for warning in configuration.warnings { StandardError.print("whereabouts: warning: \(warning)") }
        let summary = configuration.summary(storeFile: path.file)
        try OutputFile.printText(summary + "\nconfiguration is fine\n")
      } else if systemd {
        try OutputFile.printText(try options.unit(for: configuration, over: path).text)
      } else {
        try await serve(configuration, input, at: path)
      }
    }

    private func serve(
      _ configuration: ServerConfiguration, _ input: ServerConfiguration.Input, at path: StorePath
    ) async throws {
      OpenFileLimit.raiseForServer()
      let log = LogOutput(level: configuration.logLevel, json: configuration.logsJSON) { bytes in
        bytes.withUnsafeBytes { try? System.write(System.standardError, $0) }
      }
      for warning in configuration.warnings { log.logger.warning("\(warning)") }
      let notifier = ServiceNotifier(environment: input.environment)
      let supervision = await ServerSupervision(configuration: configuration, log: log, notifier: notifier) {
        () throws(ConfigurationProblems) in try ServerConfiguration(input)
      }
      do {
        let source = try configuration.source.map { try SourceName(list: $0).anySource() }
        // A refused port leaves no new store. Over an existing one, another server there is the better reason.
        if !path.exists { try await configuration.settings.checkPorts() }
        let isEmpty = path.isEmptyFile
        let store = try SQLiteStore.open(at: path.file, settings: configuration.storeSettings)
        if isEmpty { path.reportEmptyFile() }
        defer { store.close() }
        let lock = try LockFile.forServer(of: store)
        defer { withExtendedLifetime(lock) {} }
        var settings = configuration.settings
        if configuration.hasSocket { settings.socket = settings.socket ?? path.socket }
        let server = try LocationServer(
          settings: settings, store: store, source: source, logger: log.logger)
        try await server.run(supervision) {
          try server.createFirstToken { try OutputFile.printText("token: \($0)\n") }
        } onReady: {
          StandardError.print("ready: \($0)")
        }
      } catch let error as ServerError {
        // A service manager starts the server again unless the configuration has a mistake, as a refused port.
        throw CommandError("\(error)", code: error.isInUse ? .inUse : error.isTemporary ? .failed : .usage)
      } catch let error as StoreError {
        throw CommandError(error)
      }
    }
  }
#endif
