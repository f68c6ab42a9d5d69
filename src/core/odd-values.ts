// Looks at what a program's own code gave or threw. That may be anything, a proxy or an object whose getters throw: looking at it must not
// end in an exception of its own.

/** The member of an object; undefined when there is none, and when looking at it throws. */
export function readMember(value: unknown, name: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** What a function of the program threw; an error in its place when nobody can read it, such as a proxy that was revoked. */
export function readableThrown(thrown: unknown): unknown {
  try {
    if (thrown instanceof Error) for (const name of ['name', 'message', 'stack', 'code']) Reflect.get(thrown, name);
    return thrown;
  } catch {
    return new Error('What was thrown cannot be read: its own code threw.');
  }
}
