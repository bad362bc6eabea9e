import WhereaboutsCore
import WhereaboutsGeodesy

/// What the sentences of one instant have said so far.
struct Epoch {
  var time: TimeOfDay?
  var day: CivilDay?
  var position: Position?
  var word = Word.none
  var denials: Denials = []
  /// The position sentences in it.
  var kinds: UInt32 = 0

  var mode: FixMode?
  var quality: FixQuality?
  var indicator: ModeIndicator?
  var satellitesUsed: Int?
  var horizontalDilution: Double?
  var altitude: Double?
  var geoidSeparation: Double?
  var speed: Double?
  var course: Double?

  /// What was said last about there being a fix.
  enum Word {
    case none, fix, noFix
  }

  struct Denials: OptionSet {
    var rawValue: UInt8
    static let rmc = Denials(rawValue: 1)
    static let gga = Denials(rawValue: 2)
    static let gll = Denials(rawValue: 4)
    static let gns = Denials(rawValue: 8)
    static let gsa = Denials(rawValue: 16)
  }
}
