#if Server
  import ArgumentParser

  /// `whereabouts token`: commands for access tokens of the daemon.
  struct TokenGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token",
      abstract: "Create, list and revoke access tokens of the daemon.",
      discussion: """
        A token lets a phone send fixes, or a person read them, through the daemon. A token is for one device or for \
        every device, has scopes, and may expire. A daemon that runs on the same store notices changes within a second.

        Examples:
          whereabouts token create --device phone --write
          whereabouts token list
          whereabouts token revoke 3
        """,
      subcommands: [TokenCreate.self, TokenList.self, TokenRevoke.self])
  }
#endif
