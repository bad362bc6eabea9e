#if Server
  import ArgumentParser

  /// `whereabouts token`: commands for access tokens of the server.
  struct TokenGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token",
      abstract: "Create, list and revoke access tokens of the server.",
      discussion: """
        With a token, a phone can send fixes through the server, or a person can read them. A token applies to one \
        device or to every device, has scopes, and may expire. A server that runs on the same store takes a new \
        token at once, and applies other changes within a second.

        Examples:
          whereabouts token create --device phone --write
          whereabouts token list
          whereabouts token revoke 3
        """,
      subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self])
  }
#endif
