// Collects the values of a flag that may be repeated.
export function repeatable(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
