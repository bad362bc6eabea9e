import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore
import WhereaboutsUploadQueue

/// The options for the content and the format of uploads to an endpoint.
struct QueueContentOptions: ParsableArguments {
  /// A kind of record that an endpoint can receive.
  enum Kind: String, CaseIterable, ExpressibleByArgument { case fixes, crossings }

  @Option(
    help: ArgumentHelp(
      "Upload format. (default: whereabouts)", valueName: templateNames.joined(separator: "|")),
    completion: .list(templateNames), transform: QueueContentOptions.makeTemplate)
  var template: UploadTemplate = .whereabouts

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      "Name of the device at the server. (default: this machine's host name, or the device's name)",
      valueName: "name"))
  var shownAs: String?

  @Option(help: ArgumentHelp("User name for OwnTracks. (default: none)", valueName: "name"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "One or two characters that OwnTracks shows for the device. (default: none)", valueName: "id"))
  var tid: String?

  @Flag(help: "Send the records of every device in the store, each under its own name.")
  var everyDevice = false

  @Option(help: ArgumentHelp("Send only these records. (default: both)", valueName: "fixes|crossings"))
  var only: Kind?

  @Flag(help: "Also send simulated fixes in formats that cannot mark them, as if they were real.")
  var simulated = false

  @Flag(help: "Send every fix.")
  var everyFix = false

  @Flag(help: "Use walking settings: send fixes that are at least 10 m apart.")
  var walking = false

  @Option(
    help: ArgumentHelp(
      "Required accuracy of a fix that is sent at once, as in 25 or 25m. (default: 10 m)", valueName: "metres"
    ),
    transform: LengthArgument.parse)
  var accuracy: LengthArgument?

  @Option(
    help: ArgumentHelp(
      "Minimum distance between sent fixes, as in 100 or 0.5km. (default: 50 m)", valueName: "metres"),
    transform: LengthArgument.parse)
  var apart: LengthArgument?

  @Option(
    help: ArgumentHelp("Minimum time between sent fixes, as in 30s. (default: 60 s)", valueName: "duration"),
    transform: DurationArgument.parse)
  var after: DurationArgument?

  func validate() throws {
    if everyFix, walking || accuracy != nil || apart != nil || after != nil {
      throw ValidationError("--every-fix can't be combined with --walking, --accuracy, --apart and --after")
    }
    if template != .owntracks, user != nil || tid != nil {
      throw ValidationError("--\(user == nil ? "tid" : "user") requires --template owntracks")
    }
    if everyDevice, shownAs != nil { throw ValidationError("--as and --every-device can't be combined") }
  }

  private static let templateNames = UploadTemplate.allCases.map(\.rawValue)

  private static func makeTemplate(_ text: String) throws -> UploadTemplate {
    guard let form = UploadTemplate(rawValue: text) else {
      throw ValidationError(
        "'\(text)' is not an upload format. Formats: \(templateNames.joined(separator: ", ")).")
    }
    return form
  }

  func apply(to endpoint: inout Endpoint) {
    endpoint.shownAs = shownAs
    if let user { endpoint.user = user }
    endpoint.trackerID = tid
    endpoint.sendsSimulated = simulated
    endpoint.sendsFixes = only != .crossings
    endpoint.sendsCrossings = only != .fixes
    guard !everyFix else {
      endpoint.terms = nil
      return
    }
    var terms: AcceptanceTerms = walking ? .walking : .standard
    if let accuracy { terms.requiredAccuracy = accuracy.metres }
    if let apart {
      terms.distanceFilter = apart.metres
      terms.walkingDistanceFilter = apart.metres
      terms.highwayDistanceFilter = max(terms.highwayDistanceFilter, apart.metres)
    }
    if let after { terms.recencyThreshold = after.duration }
    endpoint.terms = terms
  }
}
