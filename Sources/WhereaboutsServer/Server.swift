import Crypto
import CryptoExtras
import Hummingbird
import HummingbirdTLS
