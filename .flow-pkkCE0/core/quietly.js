function quietly(listener) {
  return (event) => {
    try {
      const outcome = listener?.(event);
      if (typeof outcome === "object" && outcome !== null) Promise.resolve(outcome).catch(() => void 0);
    } catch {
    }
  };
}
export {
  quietly
};
