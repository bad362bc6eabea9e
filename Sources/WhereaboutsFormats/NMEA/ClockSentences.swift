/// Date and time: `ZDA,time,day,month,year[,zone hours,zone minutes]`. The zone is not part of the time.
struct ZDA {
  var time: TimeOfDay?
  var day: CivilDay?

  init(_ fields: inout FieldReader) {
    time = fields.timeOfDay()
    let day = fields.integer()
    let month = fields.integer()
    let year = fields.integer()
    // Receivers send it with empty fields while they don't know.
    guard let day, let month, let year else { return }
    guard let date = CivilDay(year: year, month: month, day: day) else {
      fields.report(.badTime)
      return
    }
    self.day = date
  }

  /// Reads u-blox's time and date: `$PUBX,04,time,ddmmyy,…`.
  init(pubx04 fields: inout FieldReader) {
    time = fields.timeOfDay()
    day = fields.date()
  }
}
