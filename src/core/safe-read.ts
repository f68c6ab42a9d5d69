// Reads values that a program's own code returned or threw. A proxy or a throwing getter must not
// cause another exception.

/** Returns the member of an object; undefined when it is missing or its access throws. */
export function readMember(value: unknown, name: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  try {
    return Reflect.get(value, name);
  } catch {
    return undefined;
  }
}

/** Returns a thrown value; an error in its place if unreadable, such as a revoked proxy. */
export function readableError(thrown: unknown): unknown {
  try {
    if (thrown instanceof Error) for (const name of ['name', 'message', 'stack', 'code']) Reflect.get(thrown, name);
    return thrown;
  } catch {
    return new Error('The thrown value cannot be read: its own code threw.');
  }
}

/** Wraps a user's listener: its exceptions and rejections must not stop the observed work. */
export function quietly<Event>(listener: ((event: Event) => unknown) | undefined): (event: Event) => void {
  return (event) => {
    try {
      const outcome = listener?.(event);
      if (typeof outcome === 'object' && outcome !== null) Promise.resolve(outcome).catch(() => undefined);
    } catch {
      // An exception of a listener must not stop the observed work.
    }
  };
}
