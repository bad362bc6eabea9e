import Testing
import WhereaboutsModel
import WhereaboutsFormats
import WhereaboutsGeodesy

@Suite struct FenceDataTests {
  @Test(
    .enabled(if: SharedData.has("fences-truth"), "needs shared/data/fences-truth"),
    arguments: ["fences-truth", "fences-synth"])
  func everyFenceFileIsReadWithoutProblems(folder: String) throws {
    let files = SharedData.files(folder, "geojson")
    #expect(!files.isEmpty)
    for path in files {
      let file = FenceReader().read(try SharedData.bytes(path))
      #expect(file.format == .geoJSON)
      #expect(file.problems.isEmpty, "\(path): \(file.problems)")
      #expect(!file.fences.isEmpty, "\(path)")
      let circles = file.fences.count { if case .circle(_) = $0.area { true } else { false } }
      #expect(circles == file.fences.count { $0.id.name.hasPrefix("c") }, "\(path)")
    }
  }
}
