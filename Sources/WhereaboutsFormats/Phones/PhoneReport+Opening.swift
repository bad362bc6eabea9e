extension PhoneReport {
  /// Adds the content of an encrypted message that was opened. Its rows get the index of the message, and no offset.
  ///
  /// A message that is encrypted twice is rejected.
  package mutating func add(_ opened: PhoneReport, of ciphertext: PhoneCiphertext) {
    let row = ciphertext.row
    let place = fixes.firstIndex { $0.row > row } ?? fixes.endIndex
    fixes.insert(contentsOf: opened.fixes.map { Self.with($0) { $0.row = row } }, at: place)
    transitions += opened.transitions.map { Self.with($0) { $0.row = row } }
    waypoints += opened.waypoints.map { Self.with($0) { $0.row = row } }
    visits += opened.visits.map { Self.with($0) { $0.row = row } }
    trips += opened.trips
    if opened.battery != nil {
      (battery, batteryTime, batteryDevice) = (opened.battery, opened.batteryTime, opened.batteryDevice)
    }
    zoneName = opened.zoneName ?? zoneName
    identity.trackerID = opened.identity.trackerID ?? identity.trackerID
    identity.displayName = opened.identity.displayName ?? identity.displayName
    hasAmbiguousSpeed = hasAmbiguousSpeed || opened.hasAmbiguousSpeed
    for rejection in opened.rejections {
      addSample(Self.with(rejection) { ($0.row, $0.byteOffset) = (row, 0) })
    }
    rejectionCount += opened.rejectionCount
    ignoredValues += opened.ignoredValues.prefix(max(0, Self.maxSamples - ignoredValues.count))
      .map { Self.with($0) { $0.row = row } }
    ignoredValueCount += opened.ignoredValueCount
    for (name, count) in opened.otherMessages.counts {
      var name = name
      for _ in 0..<count { name.withUTF8 { otherMessages.count(UnsafeRawBufferPointer($0)) } }
    }
    for inner in opened.ciphertexts { reject(Self.with(inner) { $0.row = row }, "it is encrypted twice") }
  }

  /// Sets an encrypted message aside that can't be opened.
  ///
  /// - Parameter reason: the reason in plain words.
  package mutating func reject(_ ciphertext: PhoneCiphertext, _ reason: String) {
    rejectionCount += 1
    addSample(
      PhoneRejection(
        kind: .badEncoding, reason: reason, row: ciphertext.row, byteOffset: 0,
        bytes: Array(ciphertext.bytes.prefix(PhoneRejection.maxBytes)), byteCount: ciphertext.bytes.count))
  }

  private mutating func addSample(_ rejection: PhoneRejection) {
    if rejections.count < Self.maxSamples { rejections.append(rejection) }
  }

  private static func with<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }
}
