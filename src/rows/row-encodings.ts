// Which compressions to ask for in a response with many rows.
import { isLoopback } from '../core/base-url.js';

/**
 * On this machine itself compression costs time and saves nothing. Elsewhere gzip, not brotli: many servers prefer brotli, but for
 * megabytes they take longer to compress it than the transfer of gzip takes.
 */
export function rowEncodings(baseUrl: string): { readonly 'accept-encoding': string } {
  return { 'accept-encoding': isLoopback(new URL(baseUrl)) ? 'identity' : 'gzip, deflate' };
}
