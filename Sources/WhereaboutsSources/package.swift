// Adapters from the outside world to `LocationSource`.
