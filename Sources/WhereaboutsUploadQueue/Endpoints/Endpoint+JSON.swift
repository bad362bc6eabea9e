import Whereabouts
import WhereaboutsModel
import WhereaboutsFormats

extension Endpoint: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, url, template, device, shownAs, user, trackerID, sendsFixes, sendsCrossings, terms, batchSize
    case interval, authorizationFile, compresses, timeout, backoff, maximumAttempts, takesAnySuccess, usesForm
    case authorityFile, sendsSimulated
  }

  /// Decodes an endpoint; a missing member has its default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try values.decode(String.self, forKey: .name), url: try values.decode(String.self, forKey: .url),
      template: try values.decode(UploadTemplate.self, forKey: .template))
    func decode<Value: Decodable>(_ key: CodingKeys, into value: inout Value) throws {
      if let stated = try values.decodeIfPresent(Value.self, forKey: key) { value = stated }
    }
    device = try values.decodeIfPresent(DeviceID.self, forKey: .device)
    shownAs = try values.decodeIfPresent(String.self, forKey: .shownAs)
    try decode(.user, into: &user)
    trackerID = try values.decodeIfPresent(String.self, forKey: .trackerID)
    try decode(.sendsFixes, into: &sendsFixes)
    try decode(.sendsCrossings, into: &sendsCrossings)
    terms = try values.decodeIfPresent(AcceptanceTerms.self, forKey: .terms)
    try decode(.batchSize, into: &batchSize)
    batchSize = min(max(batchSize, Self.batchSizes.lowerBound), Self.batchSizes.upperBound)
    var seconds = interval.inSeconds
    try decode(.interval, into: &seconds)
    interval = Self.duration(seconds)
    authorizationFile = try values.decodeIfPresent(String.self, forKey: .authorizationFile)
    try decode(.compresses, into: &compresses)
    seconds = timeout.inSeconds
    try decode(.timeout, into: &seconds)
    timeout = Self.duration(seconds)
    try decode(.backoff, into: &backoff)
    backoff = Backoff(first: backoff.first, longest: backoff.longest)
    maximumAttempts = try values.decodeIfPresent(Int.self, forKey: .maximumAttempts)
    try decode(.takesAnySuccess, into: &takesAnySuccess)
    try decode(.usesForm, into: &usesForm)
    authorityFile = try values.decodeIfPresent(String.self, forKey: .authorityFile)
    try decode(.sendsSimulated, into: &sendsSimulated)
  }

  /// Encodes every member; times in seconds.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(name, forKey: .name)
    try values.encode(url, forKey: .url)
    try values.encode(template, forKey: .template)
    try values.encodeIfPresent(device, forKey: .device)
    try values.encodeIfPresent(shownAs, forKey: .shownAs)
    try values.encode(user, forKey: .user)
    try values.encodeIfPresent(trackerID, forKey: .trackerID)
    try values.encode(sendsFixes, forKey: .sendsFixes)
    try values.encode(sendsCrossings, forKey: .sendsCrossings)
    try values.encodeIfPresent(terms, forKey: .terms)
    try values.encode(batchSize, forKey: .batchSize)
    try values.encode(interval.inSeconds, forKey: .interval)
    try values.encodeIfPresent(authorizationFile, forKey: .authorizationFile)
    try values.encode(compresses, forKey: .compresses)
    try values.encode(timeout.inSeconds, forKey: .timeout)
    try values.encode(backoff, forKey: .backoff)
    try values.encodeIfPresent(maximumAttempts, forKey: .maximumAttempts)
    try values.encode(takesAnySuccess, forKey: .takesAnySuccess)
    try values.encode(usesForm, forKey: .usesForm)
    try values.encodeIfPresent(authorityFile, forKey: .authorityFile)
    try values.encode(sendsSimulated, forKey: .sendsSimulated)
  }

  private static func duration(_ seconds: Double) -> Duration {
    guard seconds > 0, seconds < 1e9 else { return .zero }
    return .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
