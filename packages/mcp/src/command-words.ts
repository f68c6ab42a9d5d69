// Converts the input of a tool into the arguments of a command.

/** A command and the mapping of inputs to arguments. Unmapped inputs are flags of the same name. */
export interface CommandWords {
  /** Noun, verb and fixed flags. */
  readonly command: readonly string[];
  /** Inputs that are positional, in this order. */
  readonly names?: readonly string[];
  /** Formats of inputs: `%` for the value, `%|` for a list, a pair for booleans, null to omit. */
  readonly forms?: Readonly<Record<string, string | readonly [whenTrue: string, whenFalse: string] | null>>;
}

/** Returns the arguments. Names follow `--`, because they may look like flags. */
export function wordsOf(
  { command, names = [], forms = {} }: CommandWords,
  input: Readonly<Record<string, unknown>>,
): readonly string[] {
  const flags = Object.entries(input).flatMap(([member, value]) => {
    if (names.includes(member) || value === undefined) return [];
    const form = Object.hasOwn(forms, member) ? forms[member] : `--${kebabCase(member)}=%`;
    if (form === null || form === undefined) return [];
    if (typeof form !== 'string') return [value === true ? form[0] : form[1]];
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (form.includes('%|')) return [form.replace('%|', () => values.join('|'))];
    return (values.length === 0 ? [''] : values).map((one) => form.replace('%', () => String(one)));
  });
  return [...command, ...flags, '--', ...names.flatMap((name) => input[name] ?? []).map(String)];
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
