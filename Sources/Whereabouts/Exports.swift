// The one import of an app: the model and the places come with it.
@_exported public import WhereaboutsCore
@_exported public import WhereaboutsGeodesy
