// Reads all of stdin.
import type { Context } from '../context/context.js';

export async function readStdin(context: Context): Promise<string> {
  return (await readStdinBytes(context)).toString('utf8');
}

export async function readStdinBytes(context: Context): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.io.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
