import Testing
import WhereaboutsUpload

@Suite struct UploadTemplateTests {
  @Test func templatesHaveNames() {
    #expect(UploadTemplate(rawValue: "overland") == .overland)
  }
}
