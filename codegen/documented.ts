// Writes descriptions of the schema.

/** Returns a description as one line. */
export function oneLine(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim();
}

/** Returns a description as the lines of a documentation comment. */
export function documented(
  indent: string,
  description: string | null | undefined,
  deprecated?: string | null,
): string[] {
  const lines = (description ?? '')
    .trim()
    .replaceAll('*/', '* /')
    .split('\n')
    .filter((line, at) => line || at > 0);
  if (deprecated) lines.push(`@deprecated ${deprecated}`);
  if (lines.length === 0) return [];
  const [only] = lines;
  if (lines.length === 1) return [`${indent}/** ${only} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}
