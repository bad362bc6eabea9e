import Testing
import WhereaboutsSources

@Suite struct InstalledProgramTests {
  @Test func programIsFoundInPath() {
    #expect(InstalledProgram.path("sh")?.hasSuffix("/sh") == true)
    #expect(InstalledProgram.path("no-such-program") == nil)
  }

  @Test func folderIsNoProgram() {
    #expect(InstalledProgram.path("..") == nil)
  }
}
