/// The elements of a point that are read.
enum GPXField: UInt8 {
  case name, elevation, time, fix, satellites, geoidHeight
  case horizontalDilution, verticalDilution, positionDilution
  case speed, course, bearing
  case horizontalAccuracy, verticalAccuracy, speedAccuracy, courseAccuracy
  /// The horizontal accuracy as Android states it: 0 is unknown.
  case positiveAccuracy

  /// Creates the child of a point with that name, or `nil` for one that is passed over.
  init?(child name: UnsafeRawBufferPointer) {
    // By length first: one comparison distinguishes most names.
    switch name.count {
    case 3:
      if name.equals("ele") {
        self = .elevation
      } else if name.equals("fix") {
        self = .fix
      } else if name.equals("sat") {
        self = .satellites
      } else {
        return nil
      }
    case 4:
      if name.equals("time") {
        self = .time
      } else if name.equals("name") {
        self = .name
      } else if name.equals("hdop") {
        self = .horizontalDilution
      } else if name.equals("vdop") {
        self = .verticalDilution
      } else if name.equals("pdop") {
        self = .positionDilution
      } else {
        return nil
      }
    case 11 where name.equals("geoidheight"): self = .geoidHeight
    case 5 where name.equals("speed"): self = .speed
    case 6 where name.equals("course"): self = .course
    default: return nil
    }
  }

  /// Creates the element of another namespace among the children of a point of GPX 1.0, which has no `extensions`.
  init?(foreignChild name: UnsafeRawBufferPointer) {
    guard name.count == 4 else { return nil }
    self.init(extension: name)
  }

  /// Creates the element of a known name within a point's extensions, in any namespace.
  ///
  /// Garmin's TrackPointExtension v2, OsmAnd and others have `speed` in m/s and `course` or `bearing` in degrees;
  /// TrackPointExtras and Trails have `hacc` and so on in metres, as phones state them: at 68 %. Apple Health writes
  /// `hAcc` and `vAcc`, OpenTracks `accuracy_horizontal` and `accuracy_vertical`.
  init?(extension name: UnsafeRawBufferPointer) {
    switch name.count {
    case 5 where name.equals("speed"): self = .speed
    case 6 where name.equals("course"): self = .course
    case 7 where name.equals("bearing"): self = .bearing
    case 4 where name.equals("hacc") || name.equals("hAcc"): self = .horizontalAccuracy
    case 4 where name.equals("vacc") || name.equals("vAcc"): self = .verticalAccuracy
    case 4 where name.equals("sacc"): self = .speedAccuracy
    case 4 where name.equals("cacc"): self = .courseAccuracy
    case 8 where name.equals("accuracy"): self = .positiveAccuracy
    case 17 where name.equals("accuracy_vertical"): self = .verticalAccuracy
    case 19 where name.equals("accuracy_horizontal"): self = .horizontalAccuracy
    default: return nil
    }
  }
}

extension GPXField {
  /// The rule that unreadable text of this element breaks.
  var rule: StaticString {
    switch self {
    case .time: "time is no ISO 8601 time"
    case .fix: "fix is none of none, 2d, 3d, dgps, pps"
    case .elevation: "ele is not a number"
    case .speed: "speed is not a number"
    case .course: "course is not a number from 0 to 360"
    case .bearing: "bearing is not a number from 0 to 360"
    default: "text of an element is not a number"
    }
  }
}
