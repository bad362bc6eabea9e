import Testing

@testable import WhereaboutsStore

@Suite struct StoreSchemaTests {
  @Test func applicationIDIsFixed() {
    #expect(StoreSchema.applicationID == 0x5748_5231)
  }
}
