import Foundation
import HTTPTypes
import Hummingbird

/// The query parameters that each path has, as `openapi.json` describes them.
struct ParameterTable: Sendable {
  /// The table of the server's own document.
  static let standard = ParameterTable(Documents.openapi_json)

  private struct Entry: Sendable {
    /// The components of the path; one in braces stands for any.
    var path: [String]
    /// The names of the parameters, by the method in small letters.
    var names: [String: [String]]
  }

  /// The part of a document that is read.
  private struct Document: Decodable {
    struct Operation: Decodable { var parameters: [Parameter]? }
    struct Components: Decodable { var parameters: [String: Parameter] }
    struct Parameter: Decodable {
      enum CodingKeys: String, CodingKey { case reference = "$ref", name, place = "in" }

      var reference: String?
      var name: String?
      var place: String?
    }

    var paths: [String: [String: Operation]]
    var components: Components

    /// Returns the name of a parameter; `nil` for one that is no part of the query.
    func queryName(of parameter: Parameter) -> String? {
      let shared = parameter.reference?.split(separator: "/").last.map { String($0) }
      let described = shared.flatMap { components.parameters[$0] } ?? parameter
      return described.place == "query" ? described.name : nil
    }
  }

  private let entries: [Entry]

  /// Reads an OpenAPI document; one that can't be read describes no path.
  init(_ bytes: [UInt8]) {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)) else {
      entries = []
      return
    }
    entries = document.paths.map { path, operations in
      Entry(
        path: path.split(separator: "/").map { String($0) },
        names: operations.mapValues { operation in
          (operation.parameters ?? []).compactMap { document.queryName(of: $0) }
        })
    }
  }

  /// Returns the names of the parameters of a request; `nil` for an unknown path or method.
  func names(of method: HTTPRequest.Method, at path: String) -> [String]? {
    let components = path.split(separator: "/")
    let entry = entries.first { entry in
      entry.path.count == components.count
        && zip(entry.path, components).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
    return entry?.names[method.rawValue.lowercased()]
  }
}

/// Refuses changes with an unknown query parameter, which is mostly a misspelled one. An erasure whose `from` is
/// misspelled would erase everything before its `to`. Reading ignores unknown parameters, as clients expect.
struct ParameterMiddleware: RouterMiddleware {
  typealias Context = ServerContext

  func handle(
    _ request: Request, context: ServerContext,
    next: (Request, ServerContext) async throws -> Response
  ) async throws -> Response {
    let stated = request.uri.queryParameters.map { String($0.key) }
    guard !stated.isEmpty, request.method != .get, request.method != .head,
      let known = ParameterTable.standard.names(of: request.method, at: request.uri.path),
      // Every path takes a token there.
      let unknown = stated.first(where: { !$0.isEmpty && $0 != "token" && !known.contains($0) })
    else { return try await next(request, context) }
    let list = known.isEmpty ? "It has no parameters." : "Its parameters: \(known.joined(separator: ", "))."
    throw Problem(.badRequest, "\(Self.subject(unknown)) is no parameter of this path. \(list)")
  }

  /// Returns the name of a parameter for a message, unless it may be a secret or a coordinate.
  private static func subject(_ name: String) -> String {
    let isName = name.utf8.count <= 20 && name.utf8.allSatisfy { (97...122).contains($0 | 0x20) || $0 == 95 }
    return isName ? name : "One of the query"
  }
}
