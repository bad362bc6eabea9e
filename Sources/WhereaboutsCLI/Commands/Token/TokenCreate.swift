#if Server
  import ArgumentParser
  import Whereabouts
  import WhereaboutsModel
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts token create`: creates an access token.
  struct TokenCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Create an access token.",
      discussion: """
        Without --device the token is for every device. At least one of --read, --write and --admin is necessary; \
        --admin includes the others. A phone that only sends needs --write alone: a thief of such a token reads nothing.

        Standard output is the secret alone. It is shown once and stored nowhere: the store keeps a value from which \
        the secret can't be computed.

        With --password-file the token has a password that a person chose, for apps with a user name and a password. \
        The user name is the label, or the name of the device. Nothing secret is printed. The file is private to its \
        owner (chmod 600); - is standard input.

        --accuracy-cap shows places on a grid of that size, without speed, course and height.

        Examples:
          whereabouts token create --device phone --write --label "Ann's phone"
          whereabouts token create --read --accuracy-cap 500m --expires 90d --label kin
          whereabouts token create --device phone --read --expires 8h --since-now --label visitors
          whereabouts token create --device phone --write --password-file phone.password
          whereabouts token create --admin --expires 2099-01-31

        Exit codes: 0 created, 1 failed, 2 usage, 4 not permitted.
        """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Allow reading fixes, crossings and trips.")
    var read = false

    @Flag(help: "Allow sending fixes.")
    var write = false

    @Flag(help: "Allow everything, with administration and erasure.")
    var admin = false

    @Option(
      help: ArgumentHelp(
        "Show no place more accurately than this, 10 m to 1000 km, as in 500m or 5km.", valueName: "metres"))
    var accuracyCap: LengthArgument?

    @Option(
      help: ArgumentHelp("Invalid from then on, as in 90d or 2027-01-31 (UTC).", valueName: "time"))
    var expires: ExpiryArgument?

    @Flag(help: "Show nothing from before now; for a token that reads alone.")
    var sinceNow = false

    @Option(help: ArgumentHelp("A name for people. The standard is the device.", valueName: "text"))
    var label: String?

    @Option(
      help: ArgumentHelp("A file with a password, - for standard input.", valueName: "file"),
      completion: .file())
    var passwordFile: String?

    func validate() throws {
      if let problem = terms(at: .now).problem {
        throw ValidationError(scopes.isEmpty ? "which scopes? Give --read, --write or --admin" : problem)
      }
    }

    func run() async throws {
      let now = UTCTime.now
      let terms = terms(at: now)
      let password = try passwordFile.map { try PasswordFile.password(at: $0) }
      let opened = try OpenStore.writing(store)
      let registry = try opened.attempt { try TokenRegistry($0) }
      let output = try OutputFile(path: nil, replacing: false)
      if let password {
        let token: AccessToken
        do { token = try await registry.create(terms, password: password, at: now) } catch {
          throw CommandError(error)
        }
        output.bytes.appendText("\(TokenText.line(token).sanitizedToOneLine)\n")
      } else {
        let created = try opened.attempt { _ in try registry.create(terms, at: now) }
        StandardError.print(
          "\(TokenText.line(created.token).sanitizedToOneLine). This secret is shown once:")
        output.bytes.appendText("\(created.secret)\n")
      }
      do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    }

    private var scopes: Set<AccessToken.Scope> {
      Set([(read, AccessToken.Scope.read), (write, .write), (admin, .admin)].filter(\.0).map(\.1))
    }

    private func terms(at now: UTCTime) -> TokenTerms {
      TokenTerms(
        label: label, device: store.device, scopes: scopes, accuracyCap: accuracyCap?.metres,
        expires: expires?.time(asOf: now), since: sinceNow ? now : nil)
    }
  }
#endif
