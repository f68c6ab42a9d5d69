/** Wraps a user's listener: its exceptions and rejections must not stop the observed work. */
export function quietly<Event>(listener: ((event: Event) => unknown) | undefined): (event: Event) => void {
  return (event) => {
    try {
      const outcome = listener?.(event);
      if (typeof outcome === 'object' && outcome !== null) Promise.resolve(outcome).catch(() => undefined);
    } catch {}
  };
}
