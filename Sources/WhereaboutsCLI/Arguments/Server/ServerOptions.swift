import ArgumentParser
import WhereaboutsOperations

#if Upload
  import WhereaboutsClient
#endif

/// The options for a running server that is asked in place of a store or a receiver.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      URL of a `whereabouts serve`, as in https://example.org or http://localhost:8080. (default: the server on \
      the default store, if one runs)
      """, valueName: "url"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      """
      File with the token, which no other user may read; requires --server. (default: WHEREABOUTS_TOKEN)
      """,
      valueName: "file"), completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "PEM file of the only trusted authorities; requires --server. (default: the system's authorities)",
      valueName: "file"),
    completion: .file())
  var caFile: String?

  @Flag(help: "Allow plain HTTP beyond this machine, in a safe network; requires --server.")
  var plainHTTP = false

  init() {}

  func validate() throws {
    guard server == nil else { return }
    let others = [
      ("--token-file", tokenFile != nil), ("--ca-file", caFile != nil), ("--plain-http", plainHTTP),
    ]
    if let (option, _) = others.first(where: \.1) { throw ValidationError("\(option) requires --server") }
  }

  /// Throws if the program can't talk to a server and one was given.
  func requireClient() throws(CommandError) {
    #if !Upload
      guard server == nil else {
        throw CommandError(
          """
          could not use a server: this program was built without upload support. Build it with `swift build \
          --traits Upload`.
          """
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
        throw CommandError(
          "\(error)", code: error.isForbidden ? .notPermitted : error.isOfFile ? .failed : .usage)
      }
    }
  #endif
}
