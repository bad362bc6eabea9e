import ArgumentParser
import Foundation
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsReports
import WhereaboutsStore
import WhereaboutsUploadQueue

#if Upload
  import WhereaboutsUpload
#endif

/// `whereabouts queue add`: adds an upload endpoint.
struct QueueAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a server to send to.",
    discussion: """
      The forms: whereabouts (JSON with everything), owntracks, overland, osmand and traccar. What each can't say is left \
      out; `queue status` tells how much that was.

      Of the fixes those are sent that are accurate (10 m) and a while (60 s) and a way (50 m) apart, and where there is \
      no accurate one the best of a few; --every-fix sends all. Fixes wait for --interval or --batch; crossings do not.

      Only what comes from now on is sent, or with --all-history also what the store has.

      A file with who may send has header fields, one a line, as in 'Authorization: Bearer …' or 'Basic user:password'. \
      Secrets in the URL belong there, too: a line '?token=…' goes behind the URL, a line '/…' behind its path. Only its \
      owner may be able to read it.

      Simulated fixes are not sent in forms that can't mark them, unless with --simulated.

      Examples:
        whereabouts queue add home https://example.org/pub --template owntracks --user ann --as phone
        whereabouts queue add log https://example.org/log --auth-file ~/.config/log.auth --interval 5m --batch 200
        whereabouts queue add car https://demo.traccar.org:5055 --template osmand --as 12345678 --every-fix
        whereabouts queue add gate https://example.org/gate --only crossings --all-history

      Exit codes: 0 added, 1 failed or there is one of that name, 2 usage, 4 not permitted.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "What it is found again by.")
  var name: String

  @Argument(help: "Where requests go, https://… or http://….")
  var url: String

  @OptionGroup(title: "What is sent") var what: QueueContentOptions

  @OptionGroup(title: "How it is sent") var how: QueueSendingOptions

  @Flag(help: "Send also what the store has already.")
  var allHistory = false

  @Flag(help: "Give the one of that name these settings. It goes on where it was.")
  var replace = false

  @Flag(help: "Print the settings as JSON.")
  var json = false

  func validate() throws {
    if allHistory, replace { throw ValidationError("--all-history and --replace can't be combined") }
    if let problem = try endpoint().problem { throw ValidationError(problem) }
  }

  func run() async throws {
    try UploadSupport.require(to: "add \(name)")
    let endpoint = try endpoint()
    #if Upload
      if let file = endpoint.authorizationFile {
        do throws(AuthorizationFile.ReadError) { _ = try AuthorizationFile.contents(at: file) } catch {
          throw CommandError(error.description, code: .notPermitted)
        }
      }
    #endif
    if let file = endpoint.authorityFile, !FileManager.default.isReadableFile(atPath: file) {
      throw CommandError("could not read \(file), which --ca-file names", code: .notPermitted)
    }
    let opened = try OpenStore.writing(store)
    let isReplaced = try opened.attempt { store in
      guard try store.endpoints().contains(where: { $0.name == name }) else {
        try store.add(endpoint, from: allHistory ? .beginning : .now)
        return false
      }
      guard replace else {
        throw CommandError(
          "could not add \(name): there is one of that name already (--replace replaces it)")
      }
      try store.update(endpoint)
      return true
    }
    if endpoint.url.hasPrefix("http://"), !endpoint.isOnThisMachine {
      StandardError.print(
        "whereabouts: http:// lets everybody on the way read where you are; https:// does not")
    }
    let output = try OutputFile(path: nil, replacing: false)
    if json {
      QueueJSON.append(endpoint, to: &output.bytes)
    } else {
      let terms = QueueText.content(endpoint) + QueueText.sending(endpoint)
      let text = "\(name) \(isReplaced ? "replaced" : "added"): \(terms.joined(separator: ", "))"
      output.bytes.appendText("\(text.sanitizedToOneLine)\n")
    }
    do { try output.flush() } catch is OutputFile.ReaderGoneError {}
  }

  private func endpoint() throws -> Endpoint {
    var endpoint = Endpoint(name: name, url: url, template: what.template)
    let device = store.device ?? .this
    endpoint.device = what.everyDevice ? nil : device
    what.apply(to: &endpoint)
    if endpoint.shownAs == nil, endpoint.device == .this { endpoint.shownAs = QueueContentOptions.hostName }
    how.apply(to: &endpoint)
    return endpoint
  }
}

extension Endpoint {
  /// Whether the endpoint's server runs on this machine.
  fileprivate var isOnThisMachine: Bool {
    let host = url.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    return ["localhost", "127.", "[::1]"].contains { host.hasPrefix($0) }
  }
}
