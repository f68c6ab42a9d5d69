// From the input of a tool to the words of a command.

/**
 * A command, and what inputs become in it. An input that is not mentioned is a flag of its own
 * name.
 */
export interface CommandWords {
  /** Noun, verb and flags that are always given. */
  readonly command: readonly string[];
  /** The inputs that are arguments, in their order. */
  readonly names?: readonly string[];
  /**
   * Other forms of inputs, with `%` for the value and `%|` for all values of a list; two forms for
   * true and false; null for an input that the command does not get.
   */
  readonly forms?: Readonly<Record<string, string | readonly [whenTrue: string, whenFalse: string] | null>>;
}

/** Returns the words; names come behind `--`, because they may look like flags. */
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
