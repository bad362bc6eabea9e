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
    func take<Value: Decodable>(_ key: CodingKeys, _ value: inout Value) throws {
      if let read = try values.decodeIfPresent(Value.self, forKey: key) { value = read }
    }
    device = try values.decodeIfPresent(DeviceID.self, forKey: .device)
    shownAs = try values.decodeIfPresent(String.self, forKey: .shownAs)
    try take(.user, &user)
    trackerID = try values.decodeIfPresent(String.self, forKey: .trackerID)
    try take(.sendsFixes, &sendsFixes)
    try take(.sendsCrossings, &sendsCrossings)
    terms = try values.decodeIfPresent(AcceptanceTerms.self, forKey: .terms)
    try take(.batchSize, &batchSize)
    batchSize = min(max(batchSize, Self.batchSizes.lowerBound), Self.batchSizes.upperBound)
    var seconds = interval.inSeconds
    try take(.interval, &seconds)
    interval = Self.duration(seconds)
    authorizationFile = try values.decodeIfPresent(String.self, forKey: .authorizationFile)
    try take(.compresses, &compresses)
    seconds = timeout.inSeconds
    try take(.timeout, &seconds)
    timeout = Self.duration(seconds)
    try take(.backoff, &backoff)
    backoff = Backoff(first: backoff.first, longest: backoff.longest)
    maximumAttempts = try values.decodeIfPresent(Int.self, forKey: .maximumAttempts)
    try take(.takesAnySuccess, &takesAnySuccess)
    try take(.usesForm, &usesForm)
    authorityFile = try values.decodeIfPresent(String.self, forKey: .authorityFile)
    try take(.sendsSimulated, &sendsSimulated)
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
