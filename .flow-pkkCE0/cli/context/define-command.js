function examples(...lines) {
  const width = Math.max(...lines.map(([command, meaning]) => meaning === "" ? 0 : command.length));
  return `
Examples:
${lines.map(([command, meaning]) => `  ${command.padEnd(width)}  ${meaning}`.trimEnd()).join("\n")}`;
}
export {
  examples
};
