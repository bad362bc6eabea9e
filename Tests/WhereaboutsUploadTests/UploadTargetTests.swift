import Testing
import WhereaboutsUpload

@Suite struct UploadTargetTests {
  @Test func templatesComeWithTheUploader() {
    #expect(UploadTemplate(rawValue: "overland") == .overland)
  }
}
