import ArgumentParser
import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsStore
import WhereaboutsSystem
import WhereaboutsUploadQueue

/// The options for the content and the format of uploads to an endpoint.
struct QueueContentOptions: ParsableArguments {
  /// A kind of record that an endpoint can receive.
  enum Kind: String, CaseIterable, ExpressibleByArgument { case fixes, crossings }

  @Option(
    help: ArgumentHelp("The form; without it our own.", valueName: templateNames.joined(separator: "|")),
    completion: .list(templateNames), transform: QueueContentOptions.makeTemplate)
  var template: UploadTemplate = .whereabouts

  @Option(name: .customLong("as"), help: ArgumentHelp("What the device is called there.", valueName: "name"))
  var shownAs: String?

  @Option(help: ArgumentHelp("Whose it is there, for OwnTracks.", valueName: "name"))
  var user: String?

  @Option(help: ArgumentHelp("One or two characters that OwnTracks shows.", valueName: "id"))
  var tid: String?

  @Flag(help: "What of every device in the store is kept, each under its own name.")
  var everyDevice = false

  @Option(help: ArgumentHelp("Only these.", valueName: "fixes|crossings"))
  var only: Kind?

  @Flag(help: "Send simulated fixes also in forms that can't mark them, as if they were real.")
  var simulated = false

  @Flag(help: "Every fix, however many.")
  var everyFix = false

  @Flag(help: "By the terms of someone on foot: 10 m apart are enough.")
  var walking = false

  @Option(help: ArgumentHelp("How accurate fixes must be to be sent at once.", valueName: "metres"))
  var accuracy: LengthArgument?

  @Option(help: ArgumentHelp("How far apart they must be.", valueName: "metres"))
  var apart: LengthArgument?

  @Option(help: ArgumentHelp("How long apart they must be.", valueName: "duration"))
  var after: DurationArgument?

  func validate() throws {
    if everyFix, walking || accuracy != nil || apart != nil || after != nil {
      throw ValidationError("--every-fix sends all, whatever they are like")
    }
    if template != .owntracks, user != nil || tid != nil {
      throw ValidationError("--\(user == nil ? "tid" : "user") is for --template owntracks")
    }
    if everyDevice, shownAs != nil { throw ValidationError("--as and --every-device can't be combined") }
  }

  private static let templateNames = UploadTemplate.allCases.map(\.rawValue)

  private static func makeTemplate(_ text: String) throws -> UploadTemplate {
    guard let form = UploadTemplate(rawValue: text) else {
      throw ValidationError("'\(text)' is no form; there is \(templateNames.joined(separator: ", "))")
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

  /// The host name of this machine without its domain; `nil` if there is no printable name.
  static var hostName: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
    let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let first = name.prefix { $0 != "." }
    return first.isEmpty ? nil : String(first)
  }
}
