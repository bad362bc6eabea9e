import ArgumentParser
import Foundation
import WhereaboutsModel
import WhereaboutsStore
import WhereaboutsUploadQueue

/// The options for building and sending upload requests.
struct QueueSendingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Maximum time that fixes wait in the queue, as in 30s. (default: 1 min)", valueName: "duration"),
    transform: DurationArgument.parse)
  var interval: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Maximum number of records in a request, 1 to 1000. (default: 100)", valueName: "number"),
    transform: Int.parseArgument)
  var batch = 100

  @Option(
    help: ArgumentHelp(
      "File with credentials and secret parts of the URL. (default: none)", valueName: "file"),
    completion: .file())
  var authFile: String?

  @Option(
    help: ArgumentHelp(
      """
      File with certificates (PEM) of your own authority; no other authorities are trusted then. (default: none)
      """, valueName: "file"),
    completion: .file())
  var caFile: String?

  @Flag(
    inversion: .prefixedNo,
    help: "Compress request bodies. (default: only in the whereabouts format)")
  var gzip: Bool?

  @Option(
    help: ArgumentHelp(
      "Maximum time to wait for a response, as in 1min. (default: 30 s)", valueName: "duration"),
    transform: DurationArgument.parse)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Maximum delay after the first failure, as in 5s. (default: 1 s)", valueName: "duration"),
    transform: DurationArgument.parse)
  var retryFirst: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Maximum delay after repeated failures, as in 10min. (default: 5 min)", valueName: "duration"),
    transform: DurationArgument.parse)
  var retryLongest: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "Number of refusals after which a request becomes a dead letter. (default: no limit)",
      valueName: "number"), transform: Int.parseArgument)
  var tries: Int?

  @Flag(help: "Accept every successful response with any body. A login page also counts.")
  var anySuccess = false

  @Flag(help: "For OsmAnd: send a form instead of a URL with locations, which servers write to their logs.")
  var form = false

  func validate() throws {
    guard Endpoint.batchSizes.contains(batch) else {
      throw ValidationError("--batch must be between 1 and 1000")
    }
    if let tries, tries < 1 { throw ValidationError("--tries must be at least 1") }
    if let timeout, timeout.duration < .seconds(1) { throw ValidationError("--timeout must be at least 1s") }
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
