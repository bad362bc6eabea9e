import WhereaboutsCore

/// Puts the satellites in view together from GSV, and which of them are used from GSA.
///
/// A list of one talker comes in several sentences, which may be spread over several cycles; the lists of several
/// talkers, and of several signals of one, follow each other. A view is complete when such a run of GSV ends. Systems
/// whose list is older stay in it until ten views have gone by without them.
struct SkyView {
  private struct Entry {
    var satellite: SatellitesInView.Satellite
    var talker: Talker
  }

  /// The list that is coming in.
  private struct List {
    var talker = Talker(letters: 0)
    var total = 0
    var next = 0
    var satellites: [SatellitesInView.Satellite] = []
  }

  private var entries: [Entry] = []
  private var list = List()
  /// Talkers in the view, and how many views ago their list came.
  private var ages: [(talker: Talker, age: Int)] = []
  private var used: [(constellation: SatellitesInView.Constellation, number: UInt16)] = []
  private var usedIsOld = true

  /// Whether a list was completed since the view was taken last.
  private(set) var isComplete = false

  /// No receiver tracks more; whatever claims to is not believed.
  private static let most = 256
  private static let oldest = 10

  // MARK: - In view

  mutating func take(_ gsv: GSV, talker: Talker) {
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
    readSatellites(gsv.satellites, talker: talker)
    if index == total { endList() }
  }

  private mutating func readSatellites(_ fields: FieldReader, talker: Talker) {
    var fields = fields
    // What is left over after groups of four is the signal's kind, and with Quectel its system.
    for _ in 0..<(fields.remainingCount / 4) {
      let number = fields.integer()
      let elevation = fields.number()
      let azimuth = fields.number()
      let signal = fields.number()
      guard let number, let id = SatelliteNumbering.satellite(number, talker: talker),
        list.satellites.count < Self.most
      else { continue }
      var satellite = SatellitesInView.Satellite(constellation: id.constellation, number: id.number)
      if let elevation, (-90...90).contains(elevation) { satellite.elevation = Float(elevation) }
      if let azimuth, (0...360).contains(azimuth) { satellite.azimuth = azimuth == 360 ? 0 : Float(azimuth) }
      // Receivers write 0 for satellites they don't track.
      if let signal, signal > 0 { satellite.signal = Float(signal) }
      list.satellites.append(satellite)
    }
  }

  private mutating func endList() {
    list.next = 0
    isComplete = true
    let talker = list.talker
    if let index = ages.firstIndex(where: { $0.talker == talker }) {
      // The first list of this run replaces the last run's; further ones are for other signals.
      if ages[index].age > 0 { entries.removeAll { $0.talker == talker } }
      ages[index].age = 0
    } else {
      ages.append((talker, 0))
    }
    for satellite in list.satellites { add(satellite, talker: talker) }
  }

  private mutating func add(_ satellite: SatellitesInView.Satellite, talker: Talker) {
    let same = entries.firstIndex {
      $0.satellite.constellation == satellite.constellation && $0.satellite.number == satellite.number
    }
    guard let same else {
      if entries.count < Self.most { entries.append(Entry(satellite: satellite, talker: talker)) }
      return
    }
    let known = entries[same].satellite
    entries[same].satellite = satellite
    if let strongest = known.signal, strongest > satellite.signal ?? 0 {
      entries[same].satellite.signal = strongest
    }
  }

  // MARK: - Used

  /// A sentence other than GSA has come: the next GSA begins a new list.
  mutating func endUsed() {
    usedIsOld = true
  }

  mutating func take(_ gsa: GSA, talker: Talker) {
    if usedIsOld { used.removeAll(keepingCapacity: true) }
    usedIsOld = false
    var fields = gsa.satellites
    for _ in 0..<gsa.places {
      guard let number = fields.integer(),
        let id = SatelliteNumbering.satellite(number, talker: talker, system: gsa.system)
      else { continue }
      if used.count < Self.most { used.append(id) }
    }
  }

  // MARK: - The view

  /// All satellites in view, in the order they were listed.
  mutating func view(at time: UTCTime?) -> SatellitesInView {
    isComplete = false
    let old = ages.filter { $0.age >= Self.oldest }
    if !old.isEmpty {
      entries.removeAll { entry in old.contains { $0.talker == entry.talker } }
      ages.removeAll { $0.age >= Self.oldest }
    }
    for index in ages.indices { ages[index].age += 1 }
    let satellites = entries.map { entry in
      var satellite = entry.satellite
      satellite.isUsed = used.contains {
        $0.constellation == satellite.constellation && $0.number == satellite.number
      }
      return satellite
    }
    return SatellitesInView(satellites: satellites, time: time)
  }
}
