import Foundation
import Hummingbird
import Logging
import Testing
import WhereaboutsModel
import WhereaboutsStore

@testable import WhereaboutsServer

/// The OpenAPI documents themselves: complete, and without loose ends.
@Suite struct DocumentTests {
  /// The readers of a document.
  enum Audience: CaseIterable {
    case programs, phones

    var document: [UInt8] {
      switch self {
      case .programs: Documents.openapi_json
      case .phones: Documents.openapi_phones_json
      }
    }
  }

  @Test func everyRouteIsDocumentedAndNothingElse() async throws {
    let path = NSTemporaryDirectory() + "whereabouts-routes-\(UUID().uuidString).sqlite"
    let store = try SQLiteStore.open(at: path)
    defer {
      store.close()
      try? FileManager.default.removeItem(atPath: path)
    }
    let server = try LocationServer(
      settings: ServerSettings(), store: store, source: nil, logger: Logger(label: "test"))
    let routes = server.router.routes.map {
      OpenAPIDocument.Operation(method: $0.method.rawValue, path: $0.path.description)
    }
    let documents = [
      try OpenAPIDocument(Documents.openapi_json),
      try OpenAPIDocument(Documents.openapi_phones_json),
    ]
    // GET implies HEAD.
    #expect(Set(routes.filter { $0.method != "HEAD" }) == Set(documents.flatMap(\.operations)))
    #expect(documents[0].operations.count > 15)
  }

  @Test(arguments: Audience.allCases)
  func everyOperationIsComplete(for audience: Audience) throws {
    let document = try OpenAPIDocument(audience.document)
    #expect(document.root["openapi"] == .string("3.1.0"))
    var ids: Set<String> = []
    for operation in document.operations {
      let value = document.root["paths"]?[operation.path]?[operation.method.lowercased()]
      #expect(value?["summary"]?.text?.isEmpty == false, "\(operation)")
      let (isNew, _) = ids.insert(value?["operationId"]?.text ?? "")
      #expect(isNew, "\(operation)")
      let statuses = (value?["responses"]?.members ?? [:]).keys
      for status in statuses.compactMap({ Int($0) }) {
        let response = try document.response(operation, status: status)
        #expect(response?["description"]?.text?.isEmpty == false, "\(operation) \(status)")
      }
      #expect(statuses.contains("405"), "\(operation)")
      let isSecured = value?["security"]?.elements?.isEmpty != true
      #expect(statuses.contains("401") == isSecured, "\(operation)")
    }
  }

  @Test(arguments: Audience.allCases)
  func examplesFitTheirSchemas(for audience: Audience) throws {
    let document = try OpenAPIDocument(audience.document)
    let validator = SchemaValidator(document: document)
    var checked = 0
    func check(_ value: JSONValue, _ place: String) throws {
      if let schema = value["schema"], let example = value["example"] {
        // A text in a query or a header is a number too.
        let values = [example] + (example.text.flatMap { Double($0) }.map { [.number($0)] } ?? [])
        let problems = try values.map { try validator.problems(of: $0, schema) }
        #expect(problems.contains([]), "\(place): \(problems)")
        checked += 1
      } else if value["type"] != nil, let example = value["example"] {
        #expect(try validator.problems(of: example, value) == [], "\(place)")
        checked += 1
      }
      for (name, member) in value.members ?? [:] where name != "example" {
        try check(member, "\(place).\(name)")
      }
      for element in value.elements ?? [] { try check(element, place) }
    }
    try check(document.root, "$")
    #expect(checked > 20)
  }
}
