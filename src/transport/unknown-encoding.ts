// The error for a body in a compression that was not asked for: a proxy, or the service, ignores accept-encoding.
import { UNKNOWN_ENCODING } from '../core/network-errors.js';

export function unknownEncodingError(): Error {
  return Object.assign(new Error('The answer has a content-encoding that was not asked for.'), {
    code: UNKNOWN_ENCODING,
  });
}
