import ArgumentParser
import Foundation
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsUploadQueue

/// The options for building and sending upload requests.
struct QueueSendingOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How long fixes may wait. The standard is 1 min.", valueName: "duration"))
  var interval: DurationArgument?

  @Option(help: ArgumentHelp("How many there are in a request at most, 1 to 1000.", valueName: "number"))
  var batch = 100

  @Option(
    help: ArgumentHelp("A file with who may send, and with secret parts of the URL.", valueName: "file"),
    completion: .file())
  var authFile: String?

  @Option(
    help: ArgumentHelp(
      "A file with certificates (PEM) of your own authority; no others are trusted then.", valueName: "file"),
    completion: .file())
  var caFile: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Whether bodies are compressed. Without either: only in our own form.")
  var gzip: Bool?

  @Option(help: ArgumentHelp("How long an answer may take. The standard is 30 s.", valueName: "duration"))
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "How long is waited after a first failure at most. The standard is 1 s.", valueName: "duration"))
  var retryFirst: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "How long is waited after many failures at most. The standard is 5 min.", valueName: "duration"))
  var retryLongest: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Set a request aside when the server has refused it so many times. The standard is never.",
      valueName: "number"))
  var tries: Int?

  @Flag(help: "Take any answer of success for an acceptance, whatever its body. A login page counts as one.")
  var anySuccess = false

  @Flag(help: "For OsmAnd: send a form rather than a URL with places in it, which servers write into logs.")
  var form = false

  func validate() throws {
    guard Endpoint.batchSizes.contains(batch) else { throw ValidationError("--batch is 1 to 1000") }
    if let tries, tries < 1 { throw ValidationError("--tries is at least 1") }
    if let timeout, timeout.duration < .seconds(1) { throw ValidationError("--timeout is at least 1s") }
  }

  func apply(to endpoint: inout Endpoint) {
    if let interval { endpoint.interval = interval.duration }
    endpoint.batchSize = batch
    // The sending process runs in another working directory.
    endpoint.authorizationFile = authFile.map(Self.absolute)
    endpoint.authorityFile = caFile.map(Self.absolute)
    if let gzip { endpoint.compresses = gzip }
    if let timeout { endpoint.timeout = timeout.duration }
    endpoint.backoff = Endpoint.Backoff(
      first: retryFirst?.duration.inSeconds ?? 1, longest: retryLongest?.duration.inSeconds ?? 300)
    endpoint.maximumAttempts = tries
    endpoint.takesAnySuccess = anySuccess
    endpoint.usesForm = form
  }

  private static func absolute(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }
}
