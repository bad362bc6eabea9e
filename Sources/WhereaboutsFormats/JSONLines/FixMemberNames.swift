import WhereaboutsModel

extension FixMembers {
  /// The member of that name, or `nil` for one that a fix doesn't have.
  static func key(named name: UnsafeRawBufferPointer) -> Fix.CodingKeys? {
    // By length first: most names are told apart by one comparison.
    switch name.count {
    case 3:
      if name.equals("lat") { return .latitude }
      if name.equals("lon") { return .longitude }
      if name.equals("alt") { return .heightAboveGeoid }
    case 4: return shortKey(named: name)
    case 5:
      if name.equals("speed") { return .speed }
      if name.equals("track") { return .course }
      if name.equals("climb") { return .climb }
    case 6:
      if name.equals("source") { return .source }
      if name.equals("status") { return .solution }
      if name.equals("altHAE") { return .heightAboveEllipsoid }
    case 8:
      if name.equals("speedAcc") { return .speedAccuracy }
      if name.equals("trackAcc") { return .courseAccuracy }
    case 9:
      if name.equals("estimated") { return .isAccuracyEstimated }
      if name.equals("simulated") { return .isSimulated }
    default: break
    }
    return nil
  }

  private static func shortKey(named name: UnsafeRawBufferPointer) -> Fix.CodingKeys? {
    if name.equals("time") { return .time }
    if name.equals("hacc") { return .horizontalAccuracy }
    if name.equals("vacc") { return .verticalAccuracy }
    if name.equals("mode") { return .mode }
    if name.equals("used") { return .satellitesUsed }
    if name.equals("seen") { return .satellitesInView }
    if name.equals("hdop") { return .horizontalDilution }
    if name.equals("vdop") { return .verticalDilution }
    if name.equals("pdop") { return .positionDilution }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes are that text.
  package func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }
}
