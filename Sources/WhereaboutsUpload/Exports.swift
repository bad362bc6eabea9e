// The templates are the language in which an endpoint is described.
@_exported import WhereaboutsFormats
