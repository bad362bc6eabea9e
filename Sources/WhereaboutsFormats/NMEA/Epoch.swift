import WhereaboutsModel

/// The sentences after the date of an instant that may be of another date with the same time: a type that comes before
/// the date came after it.
///
/// The flag is apart from the instants. An optional instant would be copied, and checked by a call, for each sentence.
struct DateDoubt {
  /// Whether there are such sentences.
  var isOpen = false
  /// The instant without them.
  var earlier = Epoch()
  /// The instant of them alone.
  var later = Epoch()
}

/// The values of one instant's sentences so far.
struct Epoch {
  /// The time of day of the sentences; the last of them, where they differ by a little.
  var time: TimeOfDay?
  /// Its day, where that is known.
  var day: CivilDay?
  /// The day that its own sentences state, as they state it.
  var statedDay: CivilDay?
  /// Whether its fix was given already, or found to be none.
  var isEmitted = false
  /// Whether the receiver was silent after its sentences.
  var precedesSilence = false

  /// The types of sentences in it.
  var sentences: KindSet = []
  /// The types of the sentences that state a fix.
  private var affirming: KindSet = []
  /// The types of the sentences that state no fix.
  private var denying: KindSet = []
  /// Whether GGA stated a position of fewer than three satellites, which needs confirmation by another sentence. Timing
  /// receivers and some that have just lost their fix repeat such positions.
  private var isDoubtful = false

  var position: Position?
  /// The height above mean sea level, in metres.
  var altitude: Double?
  /// The height of the geoid above the ellipsoid, in metres.
  var geoidSeparation: Double?
  /// The height in metres above the ellipsoid, from a receiver that states no other height.
  var heightAboveEllipsoid: Double?
  /// The speed in metres per second.
  var speed: Double?
  /// The course in degrees from true north.
  var course: Double?
  /// The vertical speed in metres per second, positive upwards.
  var climb: Double?

  var quality: FixQuality?
  var indicator: ModeIndicator?
  var mode: Fix.Mode?
  var satellitesUsed: Int?
  /// Satellites listed by GSA, over all its sentences.
  var satellitesListed = 0
  var horizontalDilution: Double?
  var verticalDilution: Double?
  var positionDilution: Double?

  /// A VTG after the last sentence with a position. Without a time, it may be of this instant or of the next one.
  var pendingVTG: VTG?

  var gst: ErrorEstimate?
  var gbs: ErrorEstimate?
  var pgrme: ErrorEstimate?
  var pubx: ErrorEstimate?

  /// The tolerance within which times are of one instant, in nanoseconds. Receivers round the same instant differently
  /// in different sentences, but none sends more than a hundred fixes a second.
  private static let epochTolerance: UInt64 = 10_000_000

  /// Returns whether a sentence of that time belongs to this instant.
  @inline(__always)
  func isOpen(at other: TimeOfDay) -> Bool {
    guard let time else { return false }
    return (time.nanoseconds &- other.nanoseconds).magnitude < Self.epochTolerance
  }

  /// Returns whether a sentence that states that day is of another instant: two fixes of a recording may have the same
  /// time on different days.
  @inline(__always)
  func contradicts(_ day: CivilDay?) -> Bool {
    guard let day, let statedDay else { return false }
    return day != statedDay
  }

  /// The instant, where its day is known.
  var instant: UTCTime? {
    guard let day, let time else { return nil }
    return day.at(time)
  }

  /// Whether there is no fix: some type of sentence stated so, or the only sign of a fix is a GGA of too few
  /// satellites.
  ///
  /// A type's first statement counts: a receiver may repeat an earlier instant to state that it has no fix now.
  var isDenied: Bool { !denying.isSubset(of: affirming) || (isDoubtful && affirming.isEmpty) }

  @inline(__always)
  private mutating func recordFixStatus(_ kind: SentenceKind, _ hasFix: Bool) {
    if hasFix { affirming.insert(kind.bit) } else { denying.insert(kind.bit) }
  }

  // MARK: - Sentences

  @inline(__always)
  mutating func process(_ rmc: RMC, isValid: Bool) {
    recordFixStatus(.rmc, isValid)
    guard isValid else { return }
    position = rmc.position ?? position
    speed = rmc.speed ?? speed
    course = rmc.course ?? course
    indicator = rmc.mode ?? indicator
  }

  @inline(__always)
  mutating func process(_ gga: GGA) {
    if gga.isValid, let used = gga.satellitesUsed, used < 3 {
      isDoubtful = true
    } else {
      recordFixStatus(.gga, gga.isValid)
    }
    guard gga.isValid else { return }
    position = gga.position ?? position
    altitude = gga.altitude ?? altitude
    geoidSeparation = gga.geoidSeparation ?? geoidSeparation
    quality = gga.quality ?? quality
    satellitesUsed = gga.satellitesUsed ?? satellitesUsed
    horizontalDilution = gga.horizontalDilution ?? horizontalDilution
  }

  @inline(__always)
  mutating func process(_ gns: GNS) {
    recordFixStatus(.gns, gns.isValid)
    guard gns.isValid else { return }
    position = gns.position ?? position
    altitude = gns.altitude ?? altitude
    geoidSeparation = gns.geoidSeparation ?? geoidSeparation
    indicator = gns.mode ?? indicator
    satellitesUsed = gns.satellitesUsed ?? satellitesUsed
    horizontalDilution = gns.horizontalDilution ?? horizontalDilution
  }

  @inline(__always)
  mutating func process(_ gll: GLL, isValid: Bool) {
    recordFixStatus(.gll, isValid)
    guard isValid else { return }
    position = gll.position ?? position
    indicator = gll.mode ?? indicator
  }

  /// Processes the VTG that turned out to be of this instant.
  @inline(__always)
  mutating func processPendingVTG() {
    guard let vtg = pendingVTG else { return }
    pendingVTG = nil
    process(vtg)
  }

  @inline(__always)
  mutating func process(_ vtg: VTG) {
    // It may be of the next instant nevertheless. The values of RMC are of this one.
    if sentences.contains(SentenceKind.rmc.bit) {
      speed = speed ?? vtg.speed
      course = course ?? vtg.course
    } else {
      speed = vtg.speed ?? speed
      course = vtg.course ?? course
    }
    indicator = indicator ?? vtg.mode
  }

  @inline(__always)
  mutating func process(_ gsa: GSA) {
    // With one sentence for each satellite system, systems outside the solution may state "none".
    switch gsa.mode {
    case .none?: recordFixStatus(.gsa, false)
    case .twoD?:
      recordFixStatus(.gsa, true)
      mode = mode ?? .twoD
    case .threeD?:
      recordFixStatus(.gsa, true)
      mode = .threeD
    case nil: break
    }
    satellitesListed &+= gsa.satelliteCount
    horizontalDilution = horizontalDilution ?? gsa.dilutions.horizontal
    verticalDilution = gsa.dilutions.vertical ?? verticalDilution
    positionDilution = gsa.dilutions.position ?? positionDilution
  }

  mutating func process(_ pubx: PUBX00) {
    recordFixStatus(.pubx00, pubx.isValid)
    guard pubx.isValid else { return }
    // A position of other sentences is as good, and has the height above sea level as well.
    position = position ?? pubx.position
    heightAboveEllipsoid = pubx.heightAboveEllipsoid
    speed = speed ?? pubx.speed
    course = course ?? pubx.course
    climb = pubx.climb
    horizontalDilution = horizontalDilution ?? pubx.horizontalDilution
    verticalDilution = verticalDilution ?? pubx.verticalDilution
    satellitesUsed = satellitesUsed ?? pubx.satellitesUsed
    quality = quality ?? pubx.quality
    mode = pubx.mode ?? mode
    self.pubx = pubx.errors
  }
}
