package import WhereaboutsCore
import WhereaboutsGeodesy

// The field's nouns as JSON objects, exact and without spaces; docs/journal.md describes them.

extension [UInt8] {
  /// Appends a fix in its documented form, whatever numbers are in it.
  ///
  /// - Parameter isHidden: leaves out where it is.
  package mutating func putFix(_ fix: Fix, hidingPlace isHidden: Bool = false) {
    putObject {
      $0.put("time", fix.time)
      if !isHidden {
        $0.put("lat", fix.coordinate.latitude)
        $0.put("lon", fix.coordinate.longitude)
      }
      $0.put("hacc", fix.horizontalAccuracy)
      $0.put("vacc", fix.verticalAccuracy)
      if fix.isAccuracyEstimated { $0.put("estimated", true) }
      $0.put("alt", fix.heightAboveGeoid)
      $0.put("altHAE", fix.heightAboveEllipsoid)
      $0.put("speed", fix.speed)
      $0.put("speedAcc", fix.speedAccuracy)
      $0.put("track", fix.course)
      $0.put("trackAcc", fix.courseAccuracy)
      $0.put("climb", fix.climb)
      $0.put("mode", fix.mode.map { Int($0.rawValue) })
      if let solution = fix.solution { $0.put("status", text: solution.jsonText) }
      $0.put("used", fix.satellitesUsed.map { Int($0) })
      $0.put("seen", fix.satellitesInView.map { Int($0) })
      $0.put("hdop", fix.horizontalDilution)
      $0.put("vdop", fix.verticalDilution)
      $0.put("pdop", fix.positionDilution)
      $0.put("source", text: fix.source.jsonText)
      if fix.isSimulated { $0.put("simulated", true) }
    }
  }

  package mutating func put(_ key: StaticString, _ fix: Fix, hidingPlace isHidden: Bool = false) {
    put(key: key)
    putFix(fix, hidingPlace: isHidden)
  }

  package mutating func put(_ key: StaticString, _ heading: Heading) {
    put(key) {
      $0.put("degrees", heading.degrees)
      $0.put("reference", heading.reference.rawValue)
      $0.put("accuracy", heading.accuracy)
      $0.put("time", heading.time)
    }
  }

  package mutating func put(_ key: StaticString, _ sky: SatellitesInView) {
    put(key) {
      $0.put("time", sky.time)
      $0.put(key: "list")
      $0.append(UInt8(ascii: "["))
      for satellite in sky.satellites {
        if $0.last != UInt8(ascii: "[") { $0.append(UInt8(ascii: ",")) }
        $0.putObject {
          $0.put("system", satellite.constellation.rawValue)
          $0.put("number", Int(satellite.number))
          $0.put("elevation", satellite.elevation)
          $0.put("azimuth", satellite.azimuth)
          $0.put("signal", satellite.signal)
          if satellite.isUsed { $0.put("used", true) }
        }
      }
      $0.append(UInt8(ascii: "]"))
    }
  }

  package mutating func put(_ key: StaticString, _ trouble: SourceTrouble) {
    put(key) {
      $0.put("code", trouble.code.rawValue)
      $0.put("message", trouble.message)
      $0.put("remedy", trouble.remedy)
    }
  }

  package mutating func put(_ key: StaticString, _ authorization: Authorization) {
    put(key) {
      $0.put("status", authorization.status.rawValue)
      $0.put("accuracy", authorization.accuracy.rawValue)
      if !authorization.noticesChanges { $0.put("noticesChanges", false) }
      $0.put("remedy", authorization.remedy)
    }
  }

  /// A standard level by its name, another by its numbers.
  package mutating func put(_ key: StaticString, _ level: AccuracyLevel) {
    if AccuracyLevel.named(level.name) == level { return put(key, level.name) }
    put(key) {
      $0.put("accuracy", level.worstAccuracy)
      $0.put("age", level.maxAge)
    }
  }

  package mutating func put(_ terms: RequestTerms) {
    put("level", terms.level)
    put("timeout", terms.timeout)
    if terms.timeoutStarts != .whenRequested { put("timeoutStarts", terms.timeoutStarts.rawValue) }
    put("settle", terms.settle)
    if terms.activity != .other { put("activity", terms.activity.rawValue) }
  }

  package mutating func put(_ terms: SubscriptionTerms) {
    switch terms {
    case .fixes(let terms): put("fixes") { $0.put(terms) }
    case .significantChanges(let terms):
      put("significantChanges") {
        $0.put("distance", terms.distance)
        $0.put("interval", terms.interval)
        $0.put("farDistance", terms.farDistance)
      }
    case .visits(let terms):
      put("visits") {
        $0.put("radius", terms.radius)
        $0.put("minimumStay", terms.minimumStay)
      }
    case .accepted(let terms): put("accepted") { $0.put(terms) }
    case .motions: put("motions", true)
    case .headings(let terms):
      put("headings") {
        $0.put("filter", terms.filter)
        $0.put("reference", terms.reference?.rawValue)
      }
    case .track(let terms): put("track") { $0.put(terms) }
    }
  }

  package mutating func put(_ key: StaticString, _ settings: OutlierSettings) {
    put(key) {
      $0.put("maximumSpeed", settings.maximumSpeed)
      $0.put("maximumAcceleration", settings.maximumAcceleration)
      $0.put("tolerance", settings.tolerance)
      $0.put("agreeing", settings.agreeing)
      $0.put("memory", settings.memory)
      $0.put("assumedAccuracy", settings.assumedAccuracy)
      $0.put("leastAccuracy", settings.leastAccuracy)
    }
  }

  private mutating func put(_ terms: FixTerms) {
    put("level", terms.level)
    if terms.distanceFilter != 0 { put("distanceFilter", terms.distanceFilter) }
    if terms.elasticity != 0 { put("elasticity", terms.elasticity) }
    if terms.minimumInterval != .zero { put("minimumInterval", terms.minimumInterval) }
    put("maximumCount", terms.maximumCount)
    put("duration", terms.duration)
    put("lastFixUpTo", terms.lastFixUpTo)
    if terms.activity != .other { put("activity", terms.activity.rawValue) }
  }
}
