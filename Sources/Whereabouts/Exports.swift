// Apps import this module only; it exports the core.
@_exported public import WhereaboutsModel
@_exported public import WhereaboutsGeodesy
