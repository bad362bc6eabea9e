#if Server
  import ArgumentParser
  import WhereaboutsOperations
  import WhereaboutsReports
  import WhereaboutsServer
  import WhereaboutsStore

  /// `whereabouts token revoke`: revokes an access token.
  struct TokenRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "revoke",
      abstract: "Revoke an access token.",
      discussion: """
        A server that runs on the same store rejects the token within a second. A revocation cannot be undone.

        Examples:
          whereabouts token revoke 3

        Exit codes: 0 success, 1 failure or unknown number, 2 usage error, 4 permission denied.
        """)

    @OptionGroup var store: StoreFileOptions

    @Argument(help: "Number of the token, as `token list` shows it.", transform: Int64.parseArgument)
    var id: Int64

    @Flag(help: "Print the number as JSON.")
    var json = false

    func run() async throws {
      try OpenStore.writingExisting(store.selection).attempt { try TokenRegistry($0).revoke(id) }
      let output = try OutputFile(path: nil, replacing: false)
      if json {
        output.bytes += JSONObject("revoked", Int(id)).bytes + [UInt8(ascii: "\n")]
      } else {
        output.bytes.appendText("token \(id) revoked\n")
      }
      do { try output.flush() } catch is OutputFile.ReaderGoneError {}
    }
  }
#endif
