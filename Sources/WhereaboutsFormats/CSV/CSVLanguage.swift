/// A language other than English in which programs and people name the columns of a track.
struct CSVLanguage {
  /// The names of columns with spaces between them, beside an English name of ``CSVInputColumn/byName``.
  private let names: [(english: String, names: String)]
  /// The names that are a word of English or of another language, too, and count only beside one of ``names``.
  private let ambiguousNames: [(english: String, names: String)]

  private static let german = CSVLanguage(
    names: [
      ("latitude", "breite breitengrad geobreite geografischebreite geographischebreite"),
      ("longitude", "länge laenge längengrad laengengrad geolänge geografischelänge geographischelänge"),
      ("time", "zeit uhrzeit zeitstempel zeitpunkt datumuhrzeit datumzeit"),
      ("altitude", "höhe hoehe meereshöhe höheüberna höheübernn"),
      ("speed", "geschwindigkeit"), ("accuracy", "genauigkeit"), ("course", "fahrtrichtung"),
      ("satellites", "satelliten"),
    ], ambiguousNames: [("date", "datum"), ("course", "richtung kurs")])

  private static let french = CSVLanguage(
    names: [
      ("time", "heure horodatage dateheure dateetheure"), ("altitude", "élévation"), ("speed", "vitesse"),
      ("accuracy", "précision"),
    ], ambiguousNames: [("course", "cap"), ("accuracy", "precision")])

  private static let spanish = CSVLanguage(
    names: [
      ("latitude", "latitud"), ("longitude", "longitud"), ("date", "fecha"), ("time", "fechahora fechayhora"),
      ("altitude", "altitud elevación"), ("speed", "velocidad"), ("accuracy", "precisión exactitud"),
      ("course", "rumbo"), ("satellites", "satélites satelites"),
    ],
    ambiguousNames: [
      ("time", "hora"), ("altitude", "elevacion altura"), ("accuracy", "precision"),
    ])

  private static let dutch = CSVLanguage(
    names: [
      ("latitude", "breedte breedtegraad"), ("longitude", "lengte lengtegraad"),
      ("time", "tijd tijdstip tijdstempel datumtijd"), ("altitude", "hoogte"), ("speed", "snelheid"),
      ("accuracy", "nauwkeurigheid"), ("satellites", "satellieten"),
    ], ambiguousNames: [("date", "datum"), ("course", "koers richting")])

  private static let italian = CSVLanguage(
    names: [
      ("latitude", "latitudine"), ("longitude", "longitudine"), ("time", "dataora dataeora"),
      ("altitude", "altitudine"), ("speed", "velocità velocita"), ("accuracy", "precisione accuratezza"),
      ("course", "direzione"), ("satellites", "satelliti"),
    ], ambiguousNames: [("date", "data"), ("time", "ora orario"), ("altitude", "quota"), ("course", "rotta")])

  private static let all = [german, french, spanish, dutch, italian]

  private static func table(_ entries: [(english: String, names: String)]) -> [String: String] {
    var table: [String: String] = [:]
    for entry in entries {
      for name in entry.names.split(separator: " ") { table[String(name)] = entry.english }
    }
    return table
  }

  /// The English names by the names in each language, all of them and those that no other language has.
  private static let tables: [(all: [String: String], own: [String: String])] = all.map { language in
    (all: table(language.names + language.ambiguousNames), own: table(language.names))
  }

  /// The English name of a column.
  struct Translation {
    let name: String
    /// The unit at the end of the name, as in `Geschwindigkeit_kmh`.
    var unit: String?
    /// Whether the name of a time or a date ends with UTC, as in `Uhrzeit UTC`.
    var statesUTC = false
  }

  /// Returns the English names of columns, `nil` for unknown ones, in the language in which most of the names are known.
  ///
  /// - Parameter names: the names of the columns in lower case, letters and digits only.
  /// - Returns: `nil` if no name is one of another language.
  static func translations(of names: [String]) -> [Translation?]? {
    var best: (count: Int, translations: [Translation?])?
    for (all, own) in tables where names.contains(where: { translation(of: $0, own) != nil }) {
      let translations = names.map { translation(of: $0, all) }
      let count = translations.count { $0 != nil }
      if count > best?.count ?? 0 { best = (count, translations) }
    }
    return best?.translations
  }

  private static func translation(of name: String, _ table: [String: String]) -> Translation? {
    if let english = table[name] { return Translation(name: english) }
    if name.hasSuffix("utc"), let english = table[String(name.dropLast(3))],
      english == "time" || english == "date"
    {
      return Translation(name: english, statesUTC: true)
    }
    for unit in CSVHeader.unitsInNames where name.hasSuffix(unit) {
      if let english = table[String(name.dropLast(unit.count))], let column = CSVInputColumn.byName[english],
        CSVHeader.factor(of: column, unitInName: unit) != nil
      {
        return Translation(name: english, unit: unit)
      }
    }
    return nil
  }
}
