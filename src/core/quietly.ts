// Calls listeners of the user, such as onWarning and async hooks. An error in a listener must not stop the work that it observes.

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
