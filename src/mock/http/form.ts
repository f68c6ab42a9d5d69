// Reads the form a login request carries: multipart as the contract says, url-encoded as some clients send it.
import { mediaType, type ServiceRequest, text } from './messages.js';

/** The text fields of the form; the last one wins when a name comes twice. */
export function formFields(request: ServiceRequest): Map<string, string> | 'unsupported' | 'malformed' {
  const header = request.headers['content-type'];
  switch (mediaType(header)) {
    case 'application/x-www-form-urlencoded':
      return new Map(new URLSearchParams(text(request.body)));
    case 'multipart/form-data':
      return multipart(header ?? '', request.body) ?? 'malformed';
    default:
      return 'unsupported';
  }
}

const boundaryForm = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const nameForm = /^content-disposition:\s*form-data\s*;.*?\bname=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/im;

function multipart(header: string, body: Uint8Array | string): Map<string, string> | null {
  const match = boundaryForm.exec(header);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) return null;
  // One character per byte while cutting, so that no byte can be mistaken for part of another.
  const bytes = (typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)).toString('latin1');
  const parts = `\r\n${bytes}`.split(`\r\n--${boundary}`);
  const last = parts.pop();
  if (parts.length === 0 || last?.startsWith('--') !== true) return null;
  const fields = new Map<string, string>();
  // What stands before the first boundary is a preamble, and means nothing.
  for (const part of parts.slice(1)) {
    const headEnd = part.indexOf('\r\n\r\n');
    if (headEnd < 0) return null;
    const name = nameForm.exec(part.slice(0, headEnd).replace(/^[ \t]*\r\n/, ''));
    if (name === null) return null;
    const key = name[1]?.replace(/\\(.)/g, '$1') ?? name[2] ?? '';
    fields.set(key, Buffer.from(part.slice(headEnd + 4), 'latin1').toString('utf8'));
  }
  return fields;
}
