import WhereaboutsModel

extension [UInt8] {
  /// Appends the accuracies, the altitude, the speed and the course of an OwnTracks location, as whole numbers. A value
  /// of 0 is left out, as its apps do.
  mutating func appendOwnTracksMembers(of fix: Fix) {
    appendJSONMemberUnlessZero("acc", fix.horizontalAccuracy?.wholeAccuracy)
    let height = fix.heightAboveGeoid?.whole
    appendJSONMemberUnlessZero("alt", height)
    if height != nil { appendJSONMemberUnlessZero("vac", fix.verticalAccuracy?.wholeAccuracy) }
    // Kilometres an hour.
    appendJSONMemberUnlessZero("vel", fix.speed.flatMap { ($0 * 3.6).whole })
    // North is left out too, and can't be distinguished from unknown.
    appendJSONMemberUnlessZero("cog", fix.course?.wholeCourse)
  }
}
