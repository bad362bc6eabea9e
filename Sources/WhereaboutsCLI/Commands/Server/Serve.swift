#if Server
  import ArgumentParser
  import Logging
  import Whereabouts
  import WhereaboutsModel
  import WhereaboutsServer
  import WhereaboutsSources
  import WhereaboutsStore

  /// `whereabouts serve`: runs the server for phones, pages and programs.
  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Serve phones, pages and programs over HTTP.",
      discussion: """
        Takes fixes from phones and trackers (OwnTracks, Overland, Traccar Client, OsmAnd, GPSLogger and others) and from \
        --source, keeps them in the store, watches the fences for every device, and answers under /api/v1. docs/server.md \
        has the paths, docs/phones.md the settings of each app.

        Prints "ready: URL" on standard error once it answers. On a store without tokens an administrator's token is made \
        and printed on standard output, once. `whereabouts token create` makes one for each phone.

        Listens on this machine only, unless --listen says otherwise: that needs a certificate, or --plain-http behind \
        a proxy that has one. SIGTERM and Ctrl-C end it; nothing that was acknowledged is lost.

        Examples:
          whereabouts serve
          whereabouts serve --source 'replay:Samples/city-drive.nmea?speed=20'
          whereabouts serve --listen 0.0.0.0:8443 --tls-certificate cert.pem --tls-key key.pem
          whereabouts serve --listen 192.168.1.5:8080 --plain-http --store /var/lib/whereabouts/store.sqlite

        Exit codes: 0 ended as asked, 1 failed, 2 usage, 4 not permitted.
        """)

    @Option(
      help: ArgumentHelp(
        "Where to listen. The standard is 127.0.0.1:8080; port 0 takes a free one.", valueName: "host:port"))
    var listen: ListenArgument?

    @Option(
      help: ArgumentHelp(
        "Where this machine's own fixes come from, as with `watch`. None unless said.", valueName: "source"),
      transform: SourceOptions.source)
    var source: SourceArgument?

    @OptionGroup var store: StoreOptions

    @Option(
      help: ArgumentHelp("The certificate chain for TLS, in PEM.", valueName: "file"), completion: .file())
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The private key for TLS, in PEM.", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Flag(help: "Allow plain HTTP beyond this machine: only behind a proxy that has TLS.")
    var plainHTTP = false

    @Option(
      help: ArgumentHelp("What to log: error, warning, notice, info or debug.", valueName: "level"),
      transform: Serve.level)
    var logLevel: Logger.Level = .notice

    func validate() throws {
      if (tlsCertificate == nil) != (tlsKey == nil) {
        throw ValidationError("--tls-certificate and --tls-key belong together")
      }
      if store.device != nil { throw ValidationError("--device is for commands that read; a server has all devices") }
    }

    func run() async throws {
      let open = try OpenStore.writing(store)
      var settings = ServerSettings()
      if let listen {
        settings.host = listen.address.host
        settings.port = listen.address.port
      }
      if let tlsCertificate, let tlsKey {
        settings.tls = ServerSettings.TLSFiles(certificate: tlsCertificate, key: tlsKey)
      }
      settings.allowsPlainHTTP = plainHTTP
      var logger = Logger(label: "whereabouts") { StreamLogHandler.standardError(label: $0) }
      logger.logLevel = logLevel
      do {
        let server = try LocationServer(
          settings: settings, store: open.base, source: try source.map { try $0.anySource() }, logger: logger)
        if let token = try server.createFirstToken() { try Self.show(token) }
        try await server.run { StandardError.print("ready: \($0)") }
      } catch let error as ServerError {
        throw CommandError("\(error)", code: .usage)
      } catch let error as StoreError {
        throw CommandError(error)
      }
      open.close()
    }

    /// Prints the first token at once, also into a file or a pipe.
    private static func show(_ token: String) throws {
      let output = try OutputFile(path: nil, replacing: false)
      output.bytes.appendText("token: \(token)\n")
      do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    }

    private static func level(_ text: String) throws -> Logger.Level {
      guard let level = Logger.Level(rawValue: text) else {
        throw ValidationError("--log-level is error, warning, notice, info or debug")
      }
      return level
    }
  }
#endif
