// Reads the form of a login request: multipart as in the contract, or URL-encoded in some variants.
import { decodeBody, mediaType, type ServiceRequest } from '../core/messages.js';

/** Returns the text fields of the form. The last field of a name wins. */
export function parseForm(
  request: ServiceRequest,
  takesUrlEncoded: boolean,
): Map<string, string> | 'unsupported' | 'malformed' {
  const header = request.headers['content-type'];
  switch (mediaType(header)) {
    case 'application/x-www-form-urlencoded':
      return takesUrlEncoded ? new Map(new URLSearchParams(decodeBody(request.body))) : 'unsupported';
    case 'multipart/form-data':
      return parseMultipart(header ?? '', request.body) ?? 'malformed';
    default:
      return 'unsupported';
  }
}

const boundaryPattern = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const namePattern = /^content-disposition:\s*form-data\s*;.*?\bname=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/im;

function parseMultipart(header: string, body: Uint8Array | string): Map<string, string> | null {
  const match = boundaryPattern.exec(header);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) return null;
  // latin1 has one character per byte, so splitting cannot break a multi-byte character.
  const bytes = (typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)).toString('latin1');
  const parts = `\r\n${bytes}`.split(`\r\n--${boundary}`);
  const last = parts.pop();
  if (parts.length === 0 || last?.startsWith('--') !== true) return null;
  const fields = new Map<string, string>();
  // The text before the first boundary is a preamble without meaning.
  for (const part of parts.slice(1)) {
    const headerEnd = part.indexOf('\r\n\r\n');
    if (headerEnd < 0) return null;
    const name = namePattern.exec(part.slice(0, headerEnd).replace(/^[ \t]*\r\n/, ''));
    if (name === null) return null;
    const key = name[1]?.replace(/\\(.)/g, '$1') ?? name[2] ?? '';
    fields.set(key, Buffer.from(part.slice(headerEnd + 4), 'latin1').toString('utf8'));
  }
  return fields;
}
