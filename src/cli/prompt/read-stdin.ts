// Reads all of stdin.
import type { Run } from '../context/context.js';

export async function readStdin(run: Run): Promise<string> {
  return (await readStdinBytes(run)).toString('utf8');
}

export async function readStdinBytes(run: Run): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of run.io.stdin) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
