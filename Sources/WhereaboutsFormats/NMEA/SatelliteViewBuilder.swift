import WhereaboutsModel

/// A builder of satellites in view from GSV, with the used ones from GSA.
///
/// A list of one talker is sent in several sentences, which may be spread over several cycles. The lists of several
/// talkers, and of several signals of one, follow each other. A view is complete when such a run of GSV ends. Systems
/// with older lists stay in it for ten views.
struct SatelliteViewBuilder {
  /// The list that is being received.
  private struct List {
    var talker = Talker(letters: 0)
    var total = 0
    var next = 0
    var satellites: [ListedSatellite] = []
  }

  private var satellites: [ListedSatellite] = []
  /// The index of each satellite in `satellites`, counted from 1.
  private var slots = SatelliteTable()
  /// The satellites of the last run of GSA, and 1 for each of them.
  private var usedList: [SatelliteID] = []
  private var used = SatelliteTable()
  private var isUsedListComplete = true
  private var list = List()
  /// The talkers in the view, and the age of each list in views.
  private var ages: [(talker: Talker, age: Int)] = []

  /// Whether a list was completed since the last view.
  private(set) var isComplete = false

  /// The greatest plausible number of tracked satellites.
  private static let maxSatellites = 256
  private static let maxAge = 10

  // MARK: - In view

  mutating func process(_ gsv: GSV, talker: Talker) {
    guard let total = gsv.total, let index = gsv.index else { return }
    if index == 1 {
      list.talker = talker
      list.total = total
      list.next = 1
      list.satellites.removeAll(keepingCapacity: true)
    }
    guard talker == list.talker, total == list.total, index == list.next else {
      list.next = 0
      return
    }
    list.next += 1
    var fields = gsv.satellites
    for _ in 0..<GSV.maxSatellitesPerSentence where !fields.isAtLast {
      guard let satellite = ListedSatellite(&fields, talker: talker),
        list.satellites.count < Self.maxSatellites
      else {
        continue
      }
      list.satellites.append(satellite)
    }
    if index == total { endList() }
  }

  private mutating func endList() {
    list.next = 0
    isComplete = true
    let talker = list.talker
    if let index = ages.firstIndex(where: { $0.talker == talker }) {
      // The first list of this run replaces the last run's; further ones are for other signals.
      if ages[index].age > 0 { remove { $0 == talker } }
      ages[index].age = 0
    } else {
      ages.append((talker, 0))
    }
    for satellite in list.satellites { add(satellite) }
  }

  @inline(__always)
  private mutating func add(_ satellite: ListedSatellite) {
    let place = Int(slots[satellite.id])
    if place > 0 {
      let other = satellites[place - 1]
      satellites[place - 1] = satellite
      if other.isStronger(than: satellite) { satellites[place - 1].signal = other.signal }
    } else if satellites.count < Self.maxSatellites {
      satellites.append(satellite)
      slots[satellite.id] = UInt16(satellites.count)
    }
  }

  private mutating func remove(where isUnwanted: (Talker) -> Bool) {
    for satellite in satellites { slots[satellite.id] = 0 }
    satellites.removeAll { isUnwanted($0.talker) }
    for index in satellites.indices { slots[satellites[index].id] = UInt16(index + 1) }
  }

  // MARK: - Used

  /// Ends the list of used satellites: the next GSA begins a new one.
  mutating func endUsedList() {
    isUsedListComplete = true
  }

  /// Processes a GSA, whose satellites are read from `satellites`.
  mutating func process(_ gsa: GSA, satellites: FieldReader, talker: Talker) {
    if isUsedListComplete {
      for id in usedList { used[id] = 0 }
      usedList.removeAll(keepingCapacity: true)
    }
    isUsedListComplete = false
    var fields = satellites
    for _ in 0..<gsa.slotCount {
      guard let number = fields.integer(),
        let id = SatelliteID(number, talker: talker, system: gsa.system), used[id] == 0
      else { continue }
      used[id] = 1
      usedList.append(id)
    }
  }

  // MARK: - The view

  /// Returns all satellites in view, in the order they were listed.
  mutating func view(at time: UTCTime?) -> SatellitesInView {
    isComplete = false
    let old = ages.filter { $0.age >= Self.maxAge }
    if !old.isEmpty {
      remove { talker in old.contains { $0.talker == talker } }
      ages.removeAll { $0.age >= Self.maxAge }
    }
    for index in ages.indices { ages[index].age += 1 }
    return SatellitesInView(
      satellites: satellites.map { $0.satellite(isUsed: used[$0.id] > 0) }, time: time)
  }
}

/// A satellite by its four fields in GSV. An absent number is stored as NaN, which is smaller than an optional.
private struct ListedSatellite {
  var id: SatelliteID
  var talker: Talker
  var elevation: Float
  var azimuth: Float
  var signal: Float

  /// Reads the four fields; `nil` where the first names no satellite, and where there are two or less: those are the
  /// signal's kind and (Quectel) the system.
  @inline(__always)
  init?(_ fields: inout FieldReader, talker: Talker) {
    let number = fields.integer()
    elevation = fields.shortNumber()
    let isCut = fields.isExhausted
    azimuth = fields.shortNumber()
    signal = fields.shortNumber()
    guard !isCut, let number, let id = SatelliteID(number, talker: talker) else { return nil }
    self.id = id
    self.talker = talker
  }

  func isStronger(than other: ListedSatellite) -> Bool {
    signal > 0 && !(other.signal >= signal)
  }

  @inline(__always)
  func satellite(isUsed: Bool) -> SatellitesInView.Satellite {
    // NaN must be out of range here. Receivers write a signal of 0 for satellites that they don't track.
    SatellitesInView.Satellite(
      constellation: id.constellation, number: id.number,
      elevation: elevation >= -90 && elevation <= 90 ? elevation : nil,
      azimuth: azimuth >= 0 && azimuth < 360 ? azimuth : azimuth == 360 ? 0 : nil,
      signal: signal > 0 && signal < .infinity ? signal : nil, isUsed: isUsed)
  }
}

extension FieldReader {
  /// Whether the next field is the last, or all are read.
  @inline(__always)
  fileprivate var isAtLast: Bool {
    var pointer = next
    while pointer < end {
      if pointer.load(as: UInt8.self) == UInt8(ascii: ",") { return false }
      pointer += 1
    }
    return true
  }

  /// Reads a number that nearly always is a whole one of up to three digits; not a number where it is absent.
  @inline(__always)
  fileprivate mutating func shortNumber() -> Float {
    guard next <= end else { return .nan }
    var pointer = next
    var value: UInt32 = 0
    var digit = pointer.load(as: UInt8.self) &- 48
    while digit < 10 {
      value = value &* 10 &+ UInt32(digit)
      pointer += 1
      digit = pointer.load(as: UInt8.self) &- 48
    }
    guard isFieldEnd(pointer), pointer - next <= 3 else { return number().map(Float.init) ?? .nan }
    let isEmpty = pointer == next
    advance(past: pointer)
    return isEmpty ? .nan : Float(value)
  }
}
