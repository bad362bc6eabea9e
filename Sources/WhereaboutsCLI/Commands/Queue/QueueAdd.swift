import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsOperations
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
    abstract: "Add an upload endpoint.",
    discussion: """
      The upload formats are whereabouts (JSON with all values), owntracks, overland, osmand and traccar. Values \
      that a format cannot express are left out; `queue status` counts them.

      By default, the queue sends accurate fixes (10 m) that are at least 60 s and 50 m apart. If no fix is \
      accurate, the queue sends the best of a few. --every-fix sends all fixes. Fixes wait for --interval or \
      --batch; crossings are sent at once.

      The queue sends only new records. --all-history also sends the stored records.

      The file of --auth-file has header fields, one per line, as in 'Authorization: Bearer …' or 'Basic \
      user:password'. Put secrets of the URL into this file, too. A line '?token=…' is appended to the URL, and \
      a line '/…' to its path. Only the owner of the file may have read access.

      Simulated fixes are sent only in formats that can mark them, unless --simulated is given.

      Examples:
        whereabouts queue add home https://example.org/pub --template owntracks --user ann --as phone
        whereabouts queue add log https://example.org/log --auth-file ~/.config/log.auth --interval 5m --batch 200
        whereabouts queue add car https://demo.traccar.org:5055 --template osmand --as 12345678 --every-fix
        whereabouts queue add gate https://example.org/gate --only crossings --all-history

      Exit codes: 0 success, 1 failure or existing name, 2 usage error, 4 permission denied.
      """)

  @OptionGroup var store: StoreOptions

  @Argument(help: "Unique name of the endpoint.")
  var name: String

  @Argument(help: "URL of the endpoint, https://… or http://….")
  var url: String

  @OptionGroup(title: "Content") var what: QueueContentOptions

  @OptionGroup(title: "Sending") var how: QueueSendingOptions

  @Flag(help: "Also send the records that the store already has.")
  var allHistory = false

  @Flag(help: "Replace the settings of an existing endpoint, and keep its queue.")
  var replace = false

  @Flag(help: "Print the settings as JSON.")
  var json = false

  func validate() throws {
    if allHistory, replace { throw ValidationError("--all-history and --replace can't be combined") }
    if let problem = try endpoint(of: store.device ?? .this).problem { throw ValidationError(problem) }
  }

  func run() async throws {
    try UploadSupport.require(to: "add \(name)")
    var endpoint = try endpoint(of: store.device ?? .this)
    #if Upload
      if let file = endpoint.authorizationFile {
        do throws(AuthorizationFile.ReadError) { _ = try AuthorizationFile.contents(at: file) } catch {
          throw CommandError(error.description, code: error.isForbidden ? .notPermitted : .failed)
        }
      }
    #endif
    if let file = endpoint.authorityFile { try UploadSupport.requireReadable(file) }
    let opened =
      try what.everyDevice
      ? OpenStore.writing(store.selection)
      : .writingEndpoint(store.selection, replacing: replace ? name : nil)
    endpoint = try self.endpoint(of: opened.device)
    let isReplaced = try opened.attempt { store in
      guard try store.endpoints().contains(where: { $0.name == name }) else {
        try store.add(endpoint, from: allHistory ? .beginning : .now)
        return false
      }
      guard replace else {
        throw CommandError(
          """
          could not add \(name): an endpoint with this name exists. Pass --replace to replace its settings.
          """)
      }
      try store.update(endpoint)
      return true
    }
    if endpoint.url.hasPrefix("http://"), !endpoint.isOnThisMachine {
      StandardError.print(
        """
        whereabouts: http:// is not encrypted, and others in the network can read your location. Use https://.
        """)
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

  private func endpoint(of device: DeviceID) throws -> Endpoint {
    var endpoint = Endpoint(name: name, url: url, template: what.template)
    endpoint.device = what.everyDevice ? nil : device
    what.apply(to: &endpoint)
    if endpoint.shownAs == nil, endpoint.device == .this { endpoint.shownAs = System.hostName }
    how.apply(to: &endpoint)
    return endpoint
  }
}
