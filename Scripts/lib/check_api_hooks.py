"""What schemathesis needs to know beyond the documents."""

import schemathesis
from schemathesis.specs.openapi import checks

# After wrong passwords the address has to wait: 429 refuses a wrong proof as 401 does.
checks.AUTH_REJECTION_STATUSES = (*checks.AUTH_REJECTION_STATUSES, 429)


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
