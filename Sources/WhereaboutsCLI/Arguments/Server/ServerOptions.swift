import ArgumentParser

#if Upload
  import WhereaboutsClient
#endif

/// The options for a running server that is asked in place of a store or a receiver.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Ask this `whereabouts serve`, as in https://example.org or http://localhost:8080. Without it the one that runs \
      on the standard store, if any.
      """, valueName: "url"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "With --server: a file with the token, which nobody else may read. Without it WHEREABOUTS_TOKEN has it.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "With --server: the authorities to trust in place of the system's, in PEM.", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Flag(help: "With --server: allow plain HTTP beyond this machine, where the network is safe.")
  var plainHTTP = false

  init() {}

  func validate() throws {
    guard server == nil else { return }
    let others = [
      ("--token-file", tokenFile != nil), ("--ca-file", caFile != nil), ("--plain-http", plainHTTP),
    ]
    if let (option, _) = others.first(where: \.1) { throw ValidationError("\(option) is for --server") }
  }

  /// Throws if the program can't talk to a server and one was given.
  func requireClient() throws(CommandError) {
    #if !Upload
      guard server == nil else {
        throw CommandError(
          "could not ask a server: this program was built without it (`swift build --traits Upload` builds it in)"
        )
      }
    #endif
  }

  #if Upload
    /// Returns the address of the server that was given; `nil` for none.
    func address() throws(CommandError) -> ServerAddress? {
      guard let server else { return nil }
      do throws(ServerAddress.AddressError) {
        var address = try ServerAddress(server, allowsPlainHTTP: plainHTTP)
        address.authorityFile = caFile
        if let tokenFile {
          try address.readToken(file: tokenFile)
        } else if let token = System.environment("WHEREABOUTS_TOKEN"), !token.isEmpty {
          address.setToken(token)
        }
        return address
      } catch {
        throw CommandError("\(error)", code: .usage)
      }
    }
  #endif
}
