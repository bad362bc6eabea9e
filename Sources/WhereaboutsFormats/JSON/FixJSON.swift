package import WhereaboutsModel
import WhereaboutsGeodesy

// The JSON form of a fix, which `Fix.CodingKeys` documents.

extension [UInt8] {
  /// Appends a fix as one JSON object for other programs: numbers that are not finite are left out.
  package mutating func appendJSON(_ fix: Fix) {
    append(UInt8(ascii: "{"))
    appendJSONMembers(of: fix, .plain)
    append(UInt8(ascii: "}"))
  }

  /// Appends a fix as one JSON object, bit for bit.
  ///
  /// - Parameter isHidden: whether the position is left out.
  package mutating func appendJSONFix(_ fix: Fix, hidingPlace isHidden: Bool = false) {
    append(UInt8(ascii: "{"))
    appendJSONMembers(of: fix, .exact, hidingPlace: isHidden)
    append(UInt8(ascii: "}"))
  }

  package mutating func appendJSONMember(_ key: StaticString, _ fix: Fix, hidingPlace isHidden: Bool = false)
  {
    appendJSONKey(key)
    appendJSONFix(fix, hidingPlace: isHidden)
  }

  /// Appends a fix's members.
  package mutating func appendJSONMembers(
    of fix: Fix, _ form: JSONNumberForm, hidingPlace isHidden: Bool = false
  ) {
    for member in FixMember.all {
      switch member.property {
      case .double(let property): appendJSONMember(member, property.value(in: fix), form)
      case .float(let property): appendJSONMember(member, property.value(in: fix), form)
      case .count(let property): appendJSONMember(member, property.value(in: fix))
      case .whole(let property): appendJSONMember(member, property.value(in: fix))
      case .flag(let property):
        guard property.value(in: fix) else { continue }
        appendJSONKey(member)
        append("true")
      case .time:
        guard let time = fix.time else { continue }
        appendJSONKey(member)
        appendJSONString(time)
      case .latitude: if !isHidden { appendJSONMember(member, fix.coordinate.latitude, form) }
      case .longitude: if !isHidden { appendJSONMember(member, fix.coordinate.longitude, form) }
      case .mode: appendJSONMember(member, fix.mode?.rawValue)
      case .solution:
        guard let solution = fix.solution else { continue }
        appendJSONKey(member)
        appendJSONString(solution.jsonText)
      case .activity:
        guard let activity = fix.activity else { continue }
        appendJSONKey(member)
        appendJSONString(activity.jsonText)
      case .source:
        appendJSONKey(member)
        appendJSONString(fix.source.jsonText)
      }
    }
  }

  private mutating func appendJSONKey(_ member: FixMember) {
    beginJSONMember()
    append(member.jsonKey)
  }

  private mutating func appendJSONMember(_ member: FixMember, _ value: Double?, _ form: JSONNumberForm) {
    guard let value else { return }
    if form == .exact {
      appendJSONKey(member)
      appendJSON(value, .exact)
    } else if value.isFinite {
      appendJSONKey(member)
      appendShortest(value)
    }
  }

  private mutating func appendJSONMember(_ member: FixMember, _ value: Float?, _ form: JSONNumberForm) {
    guard let value else { return }
    if form == .exact {
      appendJSONKey(member)
      appendJSON(value)
    } else if value.isFinite {
      appendJSONKey(member)
      appendShortest(value)
    }
  }

  private mutating func appendJSONMember(_ member: FixMember, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    appendJSONKey(member)
    appendDecimal(Int(value))
  }
}

extension JSONFields {
  /// Returns the fix of a journal, with any numbers.
  package func fix() throws(FieldError) -> Fix {
    let latitude = try double("lat").required("lat"), longitude = try double("lon").required("lon")
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw FieldError(rule: "lat or lon out of range", kind: .badCoordinate)
    }
    var fix = Fix(
      coordinate: coordinate, time: try utcTime("time"), source: try choice("source") ?? .scripted)
    for member in FixMember.all {
      let name = member.key.rawValue
      switch member.property {
      case .time, .latitude, .longitude, .source: break
      case .double(let property): property.set(try double(name), in: &fix)
      case .float(let property): property.set(try float(name), in: &fix)
      case .count(let property): property.set(try integer(name), in: &fix)
      case .whole(let property): property.set(try integer(name), in: &fix)
      case .flag(let property): property.set(try flag(name) ?? false, in: &fix)
      case .mode:
        guard let code: UInt8 = try integer(name) else { continue }
        guard let mode = Fix.Mode(rawValue: code) else { throw FieldError(rule: "mode is neither 2 nor 3") }
        fix.mode = mode
      case .solution: fix.solution = try choice(name)
      case .activity: fix.activity = try choice(name)
      }
    }
    return fix
  }
}
