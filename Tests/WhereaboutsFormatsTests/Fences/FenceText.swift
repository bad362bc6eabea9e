import WhereaboutsModel
import WhereaboutsFormats

/// A collection of one feature, with a geometry and properties.
func featureCollection(_ geometry: String, _ properties: String = "{}", id: String? = "\"a\"") -> String {
  let stated = id.map { "\"id\":\($0)," } ?? ""
  return """
    {"type":"FeatureCollection","features":[
    {"type":"Feature",\(stated)"properties":\(properties),"geometry":\(geometry)}
    ]}
    """
}

/// A point somewhere.
let point = #"{"type":"Point","coordinates":[13.4,52.5]}"#
/// A square of some hundred metres, anticlockwise.
let square = """
  {"type":"Polygon","coordinates":[[[13.4,52.5],[13.41,52.5],[13.41,52.51],[13.4,52.51],[13.4,52.5]]]}
  """

func readFences(_ text: String, by reader: FenceReader = FenceReader()) -> FenceFile {
  reader.read(Array(text.utf8))
}
