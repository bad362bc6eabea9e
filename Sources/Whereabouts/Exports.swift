// Apps import this module only; the core comes with the import.
@_exported public import WhereaboutsCore
@_exported public import WhereaboutsGeodesy
