// What the file system calls a failure.

/** `ENOENT` and its like; undefined when the failure is of another kind. */
export function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' ? code : undefined;
}
