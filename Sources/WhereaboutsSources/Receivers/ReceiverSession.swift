import WhereaboutsCore
import WhereaboutsFormats

/// What is to be made of the bytes of one line: signals. A value; time comes with what happens.
struct ReceiverSession {
  struct Settings: Hashable, Sendable {
    var acceptsMissingChecksums = false
    /// As ``WhereaboutsFormats/NMEADecoder/Options/notBefore``.
    var notBefore: UTCTime?
    /// A receiver that is silent for so long in the midst of an instant has said all it has to say of it.
    var flushesAfter = Duration.milliseconds(250)
    /// Receivers send every second; few are set to less than every five.
    var silentAfter = Duration.seconds(5)
    /// How long it may take until there is a sentence that says something of a position, be it that there is none.
    var positionsWithin = Duration.seconds(4)
    /// How long it may take until the first heading, where there is a compass.
    var headingsWithin = Duration.seconds(10)
    /// So many bytes, for so long, without a sentence among them are not understood.
    var noise = 300
    var noiseFor = Duration.seconds(3)
    var search = SpeedSearch.Settings()
  }

  /// What has come of it, to be taken away by whoever calls.
  var signals: [SourceSignal] = []
  /// The speed to set the line to, to be taken away by whoever calls.
  var speedWanted: Int?
  /// Whether a sentence was read.
  private(set) var isUnderstood = false
  private(set) var search: SpeedSearch?

  private let settings: Settings
  private let words: ReceiverTrouble
  private let fixedSpeed: Int?
  private var decoder: NMEADecoder
  private var batch = RecordingBatch()
  private var seen = SeenBytes()
  private var told: SourceTrouble?
  private var satellites: SatellitesInView?

  private var flushAt: Instant?
  private var headingsUntil: Instant?
  /// When bytes came last; at first when the line was opened.
  private(set) var lastBytes: Instant
  /// When a sentence was read last; at first, and at another speed, when the first byte came.
  private var lastSentence: Instant?
  /// When it was last said where the receiver is or that it has no fix; at first when there was the first sentence.
  private var lastInstant: Instant?
  /// When it was last asked what is missing.
  private var judged = Instant(nanoseconds: .min)
  private var sentences = 0
  private var instantsWithoutFix = 0
  /// How many sentences had repeated an instant when ``lastInstant`` was.
  private var repetitions = 0

  /// A line that has just been opened.
  ///
  /// - Parameters:
  ///   - search: how its speed is found; `nil` where it has none or it is given.
  ///   - speed: its speed, where that is given.
  init(
    _ port: ReceiverPort, at now: Instant, settings: Settings, search: SpeedSearch? = nil, speed: Int? = nil
  ) {
    self.settings = settings
    self.search = search
    fixedSpeed = speed
    words = ReceiverTrouble(port: port)
    decoder = Self.decoder(settings)
    lastBytes = now
  }

  private static func decoder(_ settings: Settings) -> NMEADecoder {
    var options = NMEADecoder.Options()
    options.acceptsMissingChecksums = settings.acceptsMissingChecksums
    options.endsEpochsEarly = true
    options.emitsSatellites = true
    if let notBefore = settings.notBefore { options.notBefore = notBefore }
    return NMEADecoder(options: options)
  }

  // MARK: What happens

  /// Bytes have come.
  mutating func take(_ bytes: UnsafeRawBufferPointer, at now: Instant) {
    guard !bytes.isEmpty else { return }
    lastBytes = now
    if lastSentence == nil { lastSentence = now }
    seen.take(bytes)
    search?.hear(bytes.count, at: now)
    decoder.decode(bytes, into: &batch)
    collect(at: now)
    flushAt = decoder.holdsSomething ? now.advanced(by: settings.flushesAfter) : nil
    judge(at: now)
  }

  /// Time has passed; too early or too late does no harm.
  mutating func wake(at now: Instant) {
    if let flushAt, now >= flushAt {
      self.flushAt = nil
      decoder.flush(into: &batch)
      collect(at: now)
    }
    judge(at: now)
  }

  /// Nothing more comes of what came: what is next is from another sender, or there is nothing next.
  mutating func cut(at now: Instant) {
    flushAt = nil
    decoder.finish(into: &batch)
    collect(at: now)
    forget()
  }

  /// What follows is from another sender than what came before.
  mutating func changeSender(from old: String, to new: String, at now: Instant) {
    cut(at: now)
    tell(words.otherSender(old: old, new: new))
    signals.append(.segmentBegan)
  }

  /// When to be woken; `nil` where only bytes can bring news.
  var nextWake: Instant? {
    var next: Instant?
    func consider(_ instant: Instant?) {
      // What has been judged and came to nothing waits for bytes.
      if let instant, instant > judged, next.map({ instant < $0 }) ?? true { next = instant }
    }
    consider(flushAt)
    consider(search?.deadline)
    if told?.code != .silent { consider(lastBytes.advanced(by: settings.silentAfter)) }
    if isUnderstood, told?.code != .noPosition {
      consider(lastInstant?.advanced(by: settings.positionsWithin))
    }
    consider(headingsUntil)
    return next
  }

  // MARK: What comes of it

  private mutating func collect(at now: Instant) {
    let count = decoder.statistics.sentences
    if count > sentences {
      sentences = count
      lastSentence = now
      seen.removeAll()
      search?.settle()
      if !isUnderstood {
        isUnderstood = true
        lastInstant = now
        headingsUntil = now.advanced(by: settings.headingsWithin)
      }
    }
    var hasFix = false
    for element in batch.elements {
      switch element {
      case .fix(let fix):
        hasFix = true
        lastInstant = now
        repetitions = decoder.statistics.repetitions
        told = nil
        signals.append(.fix(fix, age: .sinceArrival))
      case .heading(let heading):
        headingsUntil = nil
        signals.append(.heading(heading))
      case .satellites(let view):
        if view.satellites != satellites?.satellites { signals.append(.satellites(view)) }
        satellites = view
      case .trackBegan, .segmentBegan, .waypoint, .routeBegan, .routePoint: break
      }
    }
    batch.removeAll()
    if decoder.statistics.instantsWithoutFix > instantsWithoutFix {
      instantsWithoutFix = decoder.statistics.instantsWithoutFix
      lastInstant = now
      repetitions = decoder.statistics.repetitions
      if !hasFix { tell(words.noFix) }
    }
  }

  private mutating func tell(_ trouble: SourceTrouble) {
    guard told != trouble else { return }
    told = trouble
    signals.append(.unavailable(trouble))
  }

  /// Says what has been missing for too long.
  private mutating func judge(at now: Instant) {
    judged = now
    if now >= lastBytes.advanced(by: settings.silentAfter) {
      // A few bytes before the silence say what sent them.
      tell(isUnderstood || seen.count == 0 ? words.silent : notUnderstood)
    } else if isNoise(at: now) {
      // What has been read before may still be in the sample's way, not in that of the search.
      if search?.isSettled == true, !seen.isProtocol { search?.begin(at: now) }
      if search.map({ $0.isSettled || $0.isThrough }) ?? true {
        tell(notUnderstood)
      }
    } else if isUnderstood, let lastInstant, let lastSentence, lastSentence > lastInstant,
      now >= lastInstant.advanced(by: settings.positionsWithin)
    {
      tell(decoder.statistics.repetitions > repetitions ? words.repeatedInstant : words.noPositions)
    }
    if let headingsUntil, now >= headingsUntil {
      self.headingsUntil = nil
      signals.append(.headingsUnavailable(words.noCompass))
    }
    searchOn(at: now)
  }

  private var notUnderstood: SourceTrouble {
    words.notUnderstood(
      seen.kind, at: fixedSpeed ?? search?.speed, isSearched: search?.isThrough ?? false)
  }

  private func isNoise(at now: Instant) -> Bool {
    guard seen.count > 0, let lastSentence else { return false }
    // gpsd greets with less than a hundred bytes, and then waits for a request.
    if !isUnderstood, seen.kind == .gpsd { return true }
    if let search, search.isThrough, !search.isSettled {
      return seen.count >= settings.search.enough
        || now >= lastSentence.advanced(by: settings.search.window / 2)
    }
    return seen.count >= settings.noise && now >= lastSentence.advanced(by: settings.noiseFor)
  }

  private mutating func searchOn(at now: Instant) {
    guard let search, !search.isSettled else { return }
    if seen.isProtocol {
      self.search?.settle()
    } else if let speed = self.search?.next(at: now) {
      speedWanted = speed
      // The decoder goes on: to a USB device the speed may mean nothing, and what is no sentence has no right checksum.
      seen.removeAll()
      lastSentence = nil
    }
  }

  private mutating func forget() {
    decoder = Self.decoder(settings)
    batch = RecordingBatch()
    seen.removeAll()
    flushAt = nil
    sentences = 0
    instantsWithoutFix = 0
    repetitions = 0
    lastSentence = nil
  }
}
