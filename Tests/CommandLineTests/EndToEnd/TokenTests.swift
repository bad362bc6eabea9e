#if Server
  import ArgumentParser
  import Foundation
  import Testing

  @testable import WhereaboutsCLI

  /// `whereabouts token` and `whereabouts zone`.
  @Suite struct TokenTests {
    private func create(_ store: TestStore, _ arguments: String..., input: String = "") async throws
      -> CommandRun
    {
      try await CommandRun(
        ["token", "create"] + arguments + ["--store", store.path], input: Array(input.utf8))
    }

    @Test func secretAloneIsPrinted() async throws {
      let store = try TestStore()
      let run = try await create(
        store, "--device", "phone", "--write", "--read", "--accuracy-cap", "500m", "--label", "Ann's phone")
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.hasPrefix("wht_") && run.output.count == 45 && run.lines.count == 1)
      #expect(
        run.errors
          == "token 1 created: Ann's phone, device phone, read, write, no better than 500 m. This secret is shown once:\n"
      )
      let list = try await store.command("token", "list")
      #expect(
        list.output == "1  Ann's phone  device phone  read, write  ≥ 500 m  \(run.output.prefix(8))…\n",
        "\(list.output)")
      let secret = run.output.dropLast()
      for name in try store.folder.names {
        let bytes = try Data(contentsOf: URL(filePath: store.folder.path(name)))
        #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
      }
    }

    /// A server with a store elsewhere does not know the token.
    @Test func newDefaultStoreIsNamed() async throws {
      let store = try TestStore()
      let line =
        "XDG_DATA_HOME='\(store.folder.path("data"))' whereabouts token create --device phone --write"
      let first = try await CommandRun(shell: line)
      let file = store.folder.path("data/whereabouts/whereabouts.sqlite")
      #expect(first.code == 0 && first.output.hasPrefix("wht_") && first.lines.count == 1)
      #expect(
        first.errors.hasPrefix("created the store \(file). Pass --store for the store of another server.\n"),
        "\(first.errors)")
      let second = try await CommandRun(shell: line)
      #expect(second.code == 0 && !second.errors.contains("created the store"), "\(second.errors)")
    }

    /// Only an existing store may have a device of an earlier version with such a name.
    @Test(arguments: [("..", "no URL can hold"), (String(repeating: "a", count: 1025), "at most 1024 bytes")])
    func invalidDeviceIsRefusedBeforeTheStoreIsCreated(name: String, reason: String) async throws {
      let store = try TestStore()
      let run = try await create(store, "--device", name, "--write")
      #expect(run.code == 2 && run.errors.contains(reason), "\(run.errors.prefix(200))")
      #expect(run.errors.contains("Pass --device with another name."))
      let zone = try await store.command(
        "zone", "add", "home", "--at", "1,2", "--radius", "200m", "--device", name)
      #expect(zone.code == 2 && zone.errors.contains(reason), "\(zone.errors.prefix(200))")
      #expect(try store.folder.names == [])
    }

    @Test func tokensAreListedAsJSONAndRevoked() async throws {
      let store = try TestStore()
      #expect(try await create(store, "--admin", "--expires", "2099-01-31").code == 0)
      #expect(try await create(store, "--device", "phone", "--read", "--accuracy-cap", "2km").code == 0)
      let list = try await store.command("token", "list", "--json")
      #expect(
        try list.line(0).contains(#""id":1,"label":"all","scopes":["admin"],"created":"#)
          && list.line(0).contains(#","expires":"2099-01-31T00:00:00.000Z","hint":"wht_"#), "\(list.output)")
      #expect(
        try list.line(1).hasPrefix(
          #"{"id":2,"label":"phone","device":"phone","scopes":["read"],"accuracyCap":2000,"created":"#))
      #expect(try await store.command("token", "list", "--device", "phone").lines.count == 1)
      #expect(try await store.command("token", "revoke", "1").output == "token 1 revoked\n")
      #expect(try await store.command("token", "revoke", "2", "--json").output == "{\"revoked\":2}\n")
      let again = try await store.command("token", "revoke", "2")
      #expect(
        again.code == 1
          && again.errors.hasSuffix(
            "no token has this number. Run `whereabouts token list` to list the tokens.\n")
      )
      let empty = try await store.command("token", "list")
      #expect(empty.code == 0 && empty.output.isEmpty && empty.errors.contains("no tokens."))
    }

    @Test func listStatesSinceWhen() async throws {
      let store = try TestStore()
      #expect(try await create(store, "--device", "phone", "--read", "--since-now").code == 0)
      let list = try await store.command("token", "list")
      #expect(list.output.contains("nothing before 20"), "\(list.output)")
    }

    @Test func tokenMayShowAJourneyAlone() async throws {
      let store = try TestStore()
      #expect(try await store.command("import", CommandRun.walk, "--device", "phone").code == 0)
      let days = try await store.command("days", "--device", "phone", "--time-zone", "UTC", "--json")
      let ids = days.output.matches(of: /"type":"journey","id":"(j[0-9a-z]+)"/).map { String($0.1) }
      try #require(ids.count == 2, "\(days.output)")
      func run(_ id: String) async throws -> CommandRun {
        try await create(store, "--device", "phone", "--read", "--expires", "8h", "--journey", id)
      }
      let created = try await run(ids[0])
      #expect(
        created.code == 0 && created.errors.contains("only the journey from 2024-05-13 21:"),
        "\(created.errors)")
      let list = try await store.command("token", "list", "--json")
      #expect(
        list.lines.count == 1 && list.output.contains(#""until":"2024-05-13T21:"#), "\(list.output)")
      let open = try await run(ids[1])
      #expect(open.code == 1 && open.errors.contains("the journey has not ended"), "\(open.errors)")
      let unknown = try await run("jabc")
      #expect(unknown.code == 1 && unknown.errors.contains("has no journey jabc"), "\(unknown.errors)")
    }

    @Test func listWithoutStoreIsEmpty() async throws {
      let store = try TestStore()
      for group in ["token", "zone"] {
        let run = try await store.command(group, "list")
        #expect(run.code == 0 && run.output.isEmpty && run.errors.hasPrefix("no "))
      }
      #expect(try store.folder.names.isEmpty)
    }

    @Test func passwordIsReadFromAFileOrStandardInput() async throws {
      let store = try TestStore()
      let file = try store.folder.file("password", Array("correct horse\n".utf8))
      let open = try await create(store, "--device", "phone", "--write", "--password-file", file)
      #expect(open.code == 4 && open.errors.contains("chmod 600"), "\(open.errors)")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let run = try await create(store, "--device", "phone", "--write", "--password-file", file)
      #expect(
        run.output == "token 1 created: phone, device phone, write, user name phone\n" && run.errors.isEmpty)
      let typed = try await create(
        store, "--read", "--label", "family", "--password-file", "-", input: "battery staple\r\n")
      #expect(
        typed.output == "token 2 created: family, every device, read, user name family\n", "\(typed.errors)")
      let again = try await create(
        store, "--read", "--label", "family", "--password-file", "-", input: "another staple")
      #expect(again.code == 1 && again.errors.contains("there is a password for the user family already"))
      let list = try await store.command("token", "list", "--json")
      #expect(try list.line(1).hasSuffix(#""user":"family"}"#))
    }

    @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
    func unseenTokenIsRevoked() async throws {
      let store = try TestStore()
      let run = try await CommandRun(
        shell: "whereabouts token create --device phone --write --store '\(store.path)' > /dev/full")
      #expect(
        run.code == 1 && run.errors.contains("could not create the token: could not write"), "\(run.errors)")
      #expect(try await store.command("token", "list").output.isEmpty)
    }

    @Test(.enabled(if: CommandRun.hasFullDevice, "there is no /dev/full here"))
    func unseenTokenOfServerIsRevoked() async throws {
      let store = try TestStore()
      let run = try await CommandRun(
        shell: "whereabouts serve --listen 127.0.0.1:0 --store '\(store.path)' > /dev/full")
      #expect(run.code == 1 && run.errors.contains("could not write standard output"), "\(run.errors)")
      #expect(try await store.command("token", "list").output.isEmpty)
    }

    static let mistakes: [(arguments: [String], code: Int32, words: String)] = [
      (["create"], 2, "Pass --read, --write or --admin"),
      (["create", "--device", "phone"], 2, "Pass --read, --write or --admin"),
      (["create", "--admin", "--accuracy-cap", "500"], 2, "does not limit an administrator"),
      (["create", "--read", "--accuracy-cap", "5m"], 2, "10 m to 1000 km"),
      (["create", "--read", "--write", "--since-now"], 2, "has only the scope read"),
      (["create", "--read", "--accuracy-cap", "far"], 2, "'far' is invalid"),
      (["create", "--read", "--expires", "soon"], 2, "'soon' is invalid"),
      (["create", "--read", "--expires", "2001-01-01"], 1, "expired already"),
      (["create", "--read", "--expires", "8h", "--journey", "j1"], 2, "requires --device and --expires"),
      (["create", "--read", "--journey", "vsd9tmo"], 2, "no id of a journey"),
      (
        ["create", "--write", "--device", "a", "--expires", "8h", "--journey", "j1"], 2,
        "(--since-now, --journey) has only the scope read"
      ),
      (["create", "--read", "--label", ""], 2, "a label has 1 to 100 bytes"),
      (["create", "--read", "--password-file", "/nowhere/at/all"], 1, "no such file"),
      (["create", "--read", "--password-file", "-"], 1, "one line, and it has 0"),
      (["revoke", "7"], 1, "no store exists at "), (["revoke", "x"], 2, "'x' is invalid"),
    ]

    @Test(arguments: mistakes)
    func mistakeIsReported(arguments: [String], code: Int32, words: String) async throws {
      let store = try TestStore()
      let run = try await CommandRun(["token"] + arguments + ["--store", store.path])
      #expect(run.code == code && run.errors.contains(words) && run.output.isEmpty, "\(run.errors)")
      #expect(try store.folder.names.isEmpty)
    }

    @Test func shortPasswordIsNotRepeated() async throws {
      let store = try TestStore()
      let run = try await create(store, "--read", "--password-file", "-", input: "secret!\n")
      #expect(
        run.code == 1 && run.errors.contains("at least 8 characters") && !run.errors.contains("secret!"))
      #expect(try store.folder.names.isEmpty)
    }

    @Test func forgottenDeviceLosesItsTokens() async throws {
      let store = try TestStore()
      _ = try await create(store, "--device", "phone", "--write")
      _ = try await create(store, "--read")
      let run = try await store.command("forget", "--everything", "--device", "phone", "--yes")
      #expect(run.output == "1 row of the server erased\n", "\(run.errors)")
      #expect(try await store.command("token", "list").lines.map(\.first) == ["2"])
    }

    /// The examples of the help need standard input or name tokens, so they are only read.
    @Test(
      arguments: [
        TokenGroup.configuration, TokenCreate.configuration, TokenList.configuration,
        TokenRevoke.configuration, ZoneGroup.configuration, ZoneAdd.configuration, ZoneList.configuration,
        ZoneRemove.configuration,
      ].map(\.discussion))
    func examplesParse(_ discussion: String) throws {
      let examples = discussion.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { $0.hasPrefix("whereabouts ") }
      #expect(!examples.isEmpty)
      for example in examples {
        let line = example.replacing("\"Ann's phone\"", with: "phone").replacing(
          "- < phone.password", with: "-")
        _ = try WhereaboutsCommand.parseAsRoot(
          joiningNegativeValues(line.split(separator: " ").dropFirst().map(String.init)))
      }
    }
  }

  @Suite struct ZoneTests {
    @Test func zonesAreAddedListedAndRemoved() async throws {
      let store = try TestStore()
      let add = ["zone", "add", "home", "--at", "51.4779,-0.0015", "--radius", "200m"]
      let added = try await CommandRun(add + ["--store", store.path])
      #expect(
        added.output == "home added: hidden, radius 200 m, cover 400 m, every device\n",
        "\(added.errors)")
      let again = try await CommandRun(add + ["--store", store.path])
      #expect(again.code == 1 && again.errors.contains("there is a privacy zone of that name already"))
      let coarse = try await store.command(
        "zone", "add", "town", "--at", "-33.8587,151.2140", "--radius", "5km", "--coarse", "2km", "--device",
        "phone", "--json")
      #expect(
        coarse.output.hasPrefix(
          #"{"zone":"town","lat":-33.8587,"lon":151.214,"radius":5000,"coarse":2000,"device":"phone","cover":{"lat":"#
        ), "\(coarse.errors)")
      let list = try await store.command("zone", "list")
      #expect(
        list.lines == [
          "home  hidden, radius 200 m, cover 400 m, every device",
          "town  on a grid of 2.00 km, radius 5.00 km, cover 10.00 km, device phone",
        ], "\(list.output)")
      #expect(!list.output.contains("51.4") && !list.output.contains("-33.8"))
      #expect(try await store.command("zone", "list", "--json").line(1) == coarse.line(0))
      #expect(try await store.command("zone", "list", "--device", "car").lines.count == 1)
      #expect(try await store.command("zone", "remove", "home").output == "home removed\n")
      let gone = try await store.command("zone", "remove", "home")
      #expect(
        gone.code == 1
          && gone.errors.hasSuffix(
            "no privacy zone has this name. Run `whereabouts zone list` to list the zones.\n")
      )
    }

    @Test(
      arguments: [
        (["add", "home", "--radius", "200m"], 2, "--at"),
        (["add", "home", "--at", "51,0"], 2, "--radius"),
        (["add", "home", "--at", "91,0", "--radius", "200m"], 2, "'91,0' is invalid"),
        (["add", "home", "--at", "51,0", "--radius", "20m"], 2, "50 m to 100 km"),
        (["add", "", "--at", "51,0", "--radius", "200m"], 2, "a name is one line"),
        (["add", "home", "--at", "51,0", "--radius", "200m", "--coarse", "1m"], 2, "10 m to 1000 km"),
        (["remove", "home"], 1, "no store exists at "),
      ])
    func mistakeIsReported(_ arguments: [String], _ code: Int32, _ words: String) async throws {
      let store = try TestStore()
      let run = try await CommandRun(["zone"] + arguments + ["--store", store.path])
      #expect(run.code == code && run.errors.contains(words) && run.output.isEmpty, "\(run.errors)")
    }
  }
#endif
