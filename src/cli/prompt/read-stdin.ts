// Reads all of stdin.
import type { Run } from '../context/context.js';

export async function readStdin(context: Run): Promise<string> {
  return (await readStdinBytes(context)).toString('utf8');
}

export async function readStdinBytes(context: Run): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.io.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
