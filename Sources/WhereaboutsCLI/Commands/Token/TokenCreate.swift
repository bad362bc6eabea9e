#if Server
  import ArgumentParser
  import Whereabouts
  import WhereaboutsModel
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts token create`: creates an access token.
  struct TokenCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Create an access token.",
      discussion: """
        Without --device, the token applies to every device. At least one of --read, --write and --admin is \
        required. --admin includes the others. A phone that only sends fixes needs only --write: a stolen token of \
        this kind gives no access to fixes. It gives access to the circular fences, which the server sends to phones.

        Standard output is only the secret. The secret is shown once and is not stored: the store keeps a value \
        from which the secret cannot be computed. A server knows only the tokens of its own store: without --store, a \
        missing default store is created, and standard error names it.

        With --password-file, the token uses a password that a person chose, for apps with a user name and a \
        password. The user name is the label, or the name of the device. The command prints no secret. Only the \
        owner may have access to the file (chmod 600). A file of - is standard input.

        --accuracy-cap shows locations on a grid of that size, without speed, course and altitude.

        --journey shows one journey of the past and nothing else. `days --json` prints the ids of journeys. A reader \
        who opens https://HOST/#token=SECRET sees the journey on the page of `serve`.

        Examples:
          whereabouts token create --device phone --write --label "Ann's phone"
          whereabouts token create --read --accuracy-cap 500m --expires 90d --label kin
          whereabouts token create --device phone --read --expires 8h --since-now --label visitors
          whereabouts token create --device phone --read --expires 7d --journey jsd9tmo --label kin
          whereabouts token create --device phone --write --password-file phone.password
          whereabouts token create --admin --expires 2099-01-31

        Exit codes: 0 success, 1 failure, 2 usage error, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Option(
      help: ArgumentHelp("Device of the token. (default: every device)", valueName: "name"),
      transform: StoreOptions.device)
    var device: DeviceID?

    @Flag(help: "Allow reading fixes, crossings and trips.")
    var read = false

    @Flag(help: "Allow sending fixes.")
    var write = false

    @Flag(help: "Allow everything, including administration and erasure.")
    var admin = false

    @Option(
      help: ArgumentHelp(
        "Maximum accuracy of shown locations, 10 m to 1000 km, as in 500m or 5km. (default: no limit)",
        valueName: "metres"), transform: LengthArgument.parse)
    var accuracyCap: LengthArgument?

    @Option(
      help: ArgumentHelp(
        "Expiry of the token, as in 90d or 2027-01-31 (UTC). (default: never)", valueName: "time"),
      transform: ExpiryArgument.parse)
    var expires: ExpiryArgument?

    @Flag(help: "Hide data from before now; only for a token with --read alone.")
    var sinceNow = false

    @Option(
      help: ArgumentHelp(
        "Journey of the past to show, and nothing else; requires --device, --read and --expires. (default: none)",
        valueName: "id"), transform: TokenCreate.journeyID)
    var journey: SegmentID?

    @Option(help: ArgumentHelp("Label of the token. (default: the device)", valueName: "text"))
    var label: String?

    @Option(
      help: ArgumentHelp("File with a password; - for standard input. (default: none)", valueName: "file"),
      completion: .file())
    var passwordFile: String?

    static func journeyID(_ text: String) throws -> SegmentID {
      guard let id = SegmentID(text), id.kind == .journey else {
        throw ValidationError("'\(text)' is no id of a journey. `whereabouts days --json` prints the ids.")
      }
      return id
    }

    func validate() throws {
      if journey != nil {
        if sinceNow { throw ValidationError("--journey can't be combined with --since-now") }
        if device == nil || expires == nil {
          throw ValidationError("--journey requires --device and --expires")
        }
      }
      // A store may have such a device from an earlier version; a new store has none.
      if let device, !device.isValid, (try? store.path().exists) == false {
        throw ValidationError("\(device.reasonOfInvalidity). Pass --device with another name.")
      }
      if label == nil, device.map({ $0.rawValue.utf8.count > TokenTerms.maximumLabelLength }) ?? false {
        throw ValidationError("the name of the device is too long for a label of the token. Pass --label.")
      }
      if let problem = terms(at: .now).problem {
        throw ValidationError(
          scopes.isEmpty ? "no scope was given. Pass --read, --write or --admin." : problem)
      }
    }

    func run() async throws {
      let now = UTCTime.now
      var terms = terms(at: now)
      let password = try passwordFile.map { try PasswordFile.password(at: $0) }
      do throws(StoreError) { try TokenRegistry.check(terms, password: password, at: now) } catch {
        throw CommandError(error)
      }
      let path = try store.path(), isNewStandard = store.store == nil && !path.exists
      let selection = store.selection(of: device)
      let opened = try journey == nil ? OpenStore.writing(selection) : .writingExisting(selection)
      // A server with a store of its own would not know the token.
      if isNewStandard {
        StandardError.print("created the store \(path.file). Pass --store for the store of another server.")
      }
      if let journey { terms.restrict(to: try opened.journeyToShow(journey)) }
      let registry = try opened.attempt { try TokenRegistry($0) }
      let output = try OutputFile(path: nil, replacing: false)
      if let password {
        let token: AccessToken
        do { token = try await registry.create(terms, password: password, at: now) } catch {
          throw CommandError(error)
        }
        output.bytes.appendText("\(TokenText.line(token).sanitizedToOneLine)\n")
        do { try output.flush() } catch is OutputFile.ReaderGoneError {}
      } else {
        let created = try opened.attempt { _ in try registry.create(terms, at: now) }
        StandardError.print(
          "\(TokenText.line(created.token).sanitizedToOneLine). This secret is shown once:")
        output.bytes.appendText("\(created.secret)\n")
        do { try output.flush() } catch {
          // Nobody has seen the secret, which is stored nowhere.
          try opened.attempt { _ in try registry.revoke(created.token.id) }
          let reason = (error as? CommandError)?.message ?? "standard output is closed"
          throw CommandError("could not create the token: \(reason)")
        }
      }
    }

    private var scopes: Set<AccessToken.Scope> {
      Set([(read, AccessToken.Scope.read), (write, .write), (admin, .admin)].filter(\.0).map(\.1))
    }

    private func terms(at now: UTCTime) -> TokenTerms {
      TokenTerms(
        label: label, device: device, scopes: scopes, accuracyCap: accuracyCap?.metres,
        expires: expires?.time(asOf: now), since: sinceNow || journey != nil ? now : nil)
    }
  }
#endif
