/// Watches how good the fixes are that a tracker gets, and whether any come at all.
///
/// Goes by the clock of the run alone: a wall clock that is stepped changes nothing. Its deadlines may be too early,
/// since a fix puts them off without saying so; ``wake(at:)`` then does nothing but name the next.
struct SignalMonitor: Sendable {
  /// How often the silence that is borne doubles, at most: 10 s become 320 s.
  private static let mostDoublings = 5
  /// How many of a source's usual intervals are no silence: a fix may fall out, and the next be late.
  private static let usualIntervals = 3

  /// What a wake brought about.
  struct Alarm: Equatable, Sendable {
    /// The strength has changed.
    var isStrengthNew = false
    /// The source has been silent for so long that it is to be stopped and started.
    var silence: Duration?
  }

  private let settings: SignalSettings
  private(set) var strength = SignalStrength.invalid
  /// When the signal will have been weak, or absent, for long enough; `nil` where it is not, or has been.
  private var recheck: Instant?
  /// When to look whether the source is silent; `nil` where it need not be looked at.
  private var check: Instant?
  /// When the source was last heard, or asked.
  private var heard = Instant.start
  /// How often in a row the source was asked again and stayed silent.
  private var attempts = 0
  private var pace = SourcePace()

  init(_ settings: SignalSettings) {
    self.settings = settings
  }

  /// The accuracy up to which a fix is good enough to go by for now, in metres at 68 %.
  var acceptedAccuracy: Double {
    strength == .consistentlyWeak
      ? max(settings.requiredAccuracy, settings.acceptableAccuracy) : settings.requiredAccuracy
  }

  /// When to be woken, if ever.
  var deadline: Instant? {
    guard let recheck, let check else { return recheck ?? check }
    return min(recheck, check)
  }

  /// A spell without a signal begins: the source has been asked for fixes just now.
  mutating func begin(at now: Instant) {
    strength = .invalid
    pace.pause()
    recheck = now.advanced(by: max(.zero, settings.recheck))
    listen(at: now)
  }

  /// Nobody needs the source any more.
  mutating func end() {
    strength = .invalid
    recheck = nil
    check = nil
  }

  /// The source has said why no fix comes: its silence is no news until it is heard again, and there is no signal.
  ///
  /// - Returns: whether the strength has changed.
  mutating func excuseSilence(at now: Instant) -> Bool {
    check = nil
    pace.pause()
    return lose(since: now)
  }

  /// There is no signal any more. A spell that has begun goes on.
  private mutating func lose(since then: Instant) -> Bool {
    switch strength {
    case .invalid, .consistentlyWeak: return false
    case .weak: break
    case .strong: recheck = then.advanced(by: max(.zero, settings.recheck))
    }
    strength = .invalid
    return true
  }

  /// The source has said something: not silent, whatever it is worth.
  mutating func hear(at now: Instant) {
    pace.hear(at: now)
    // Else the check stays where it is, and is put off when it is due: a fix costs no new deadline.
    if check == nil || attempts > 0 { listen(at: now) } else { heard = now }
  }

  /// The source was stopped and started.
  mutating func noteRestart(at now: Instant) {
    guard check != nil else { return }
    heard = now
    attempts += 1
    check = patience.map { now.advanced(by: $0) }
  }

  /// Takes how accurate a fix is that was used, in metres at 68 %. Where it does not say, it is not known to be strong.
  ///
  /// - Returns: whether the strength has changed.
  mutating func take(accuracy: Double?, at now: Instant) -> Bool {
    let before = strength
    if let accuracy, accuracy <= settings.requiredAccuracy {
      strength = .strong
      recheck = nil
    } else if before == .strong {
      strength = .weak
      recheck = now.advanced(by: max(.zero, settings.recheck))
    } else if before == .invalid {
      // The time without a signal counts: weak or absent, it is one spell.
      strength = .weak
    }
    return strength != before
  }

  /// Looks at what is due.
  mutating func wake(at now: Instant) -> Alarm {
    var alarm = Alarm()
    let before = strength
    if let check, check <= now, let patience {
      let due = heard.advanced(by: patience)
      if due <= now {
        alarm.silence = now.since(heard)
        _ = lose(since: heard)
      }
      // Where it is due, `noteRestart` puts it off further.
      self.check = due <= now ? now.advanced(by: patience) : due
    }
    if let recheck, recheck <= now {
      self.recheck = nil
      strength = .consistentlyWeak
    }
    alarm.isStrengthNew = strength != before
    return alarm
  }

  private mutating func listen(at now: Instant) {
    heard = now
    attempts = 0
    check = patience.map { now.advanced(by: $0) }
  }

  /// How long a silence is borne now: no less than a second, in which no source could answer, nor than a source that is
  /// slow takes anyway, and no more than can be reckoned with.
  private var patience: Duration? {
    settings.longestSilence.map {
      let usual = (pace.usual ?? .zero) * Self.usualIntervals
      return min(max($0, usual, .seconds(1)), .seconds(1_000_000_000))
        * (1 << min(attempts, Self.mostDoublings))
    }
  }
}
