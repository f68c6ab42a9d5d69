// For a flag that may be given several times: each value joins those before it.
export function repeatable(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
