// A fetch that somebody else wrote may ignore its signal; nothing of ours waits for it then.

/** The outcome of the work, or a rejection with the signal's reason as soon as it fires. */
export function abortable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    // `async`, so that a fetch that throws at once rejects like any other.
    const working = (async () => work())();
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
