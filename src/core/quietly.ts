// Functions of the user that are told about something: they must not break the work that they are told about.

/** The same function. What it throws is ignored, and so is what it rejects with if it is async. */
export function quietly<Event>(listener: ((event: Event) => unknown) | undefined): (event: Event) => void {
  return (event) => {
    try {
      const outcome = listener?.(event);
      if (typeof outcome === 'object' && outcome !== null) Promise.resolve(outcome).catch(() => undefined);
    } catch {
      // Nobody could do anything about it here.
    }
  };
}
