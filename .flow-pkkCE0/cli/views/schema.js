function findingsOf({ operations, assumptions, changes }) {
  return [
    ...operations.map(({ operation, status, reasons }) => ({
      about: "operation",
      where: operation,
      status,
      detail: reasons.join(" ") || null
    })),
    ...assumptions.map(({ where, status, detail }) => ({ about: "assumption", where, status, detail })),
    ...changes.map(({ where, kind, what }) => ({ about: "change", where, status: kind, detail: what }))
  ];
}
const findingView = {
  columns: [],
  fields: ["about", "where", "status", "detail"]
};
function reportLines(report, colors) {
  const { source, operations, assumptions, changes } = report;
  const count = (list, status) => list.filter((entry) => entry.status === status).length;
  const lines = [
    source === "introspection" ? "The service described its schema." : "The service does not describe its schema, so every operation was tried.",
    "",
    colors.bold(`Operations: ${count(operations, "works")} of ${operations.length} work`)
  ];
  for (const { operation, status, reasons } of operations) {
    if (status === "works") continue;
    lines.push(`  ${colors.red(status === "breaks" ? "breaks " : "unknown")}  ${operation}`);
    for (const reason of reasons) lines.push(`           ${reason}`);
  }
  const refuted = count(assumptions, "refuted");
  const unknown = count(assumptions, "unknown");
  lines.push(
    "",
    colors.bold(
      `Assumptions: ${count(assumptions, "confirmed")} confirmed, ${refuted} refuted, ${unknown} unknown, of ${assumptions.length}`
    )
  );
  for (const { where, status, detail } of assumptions) {
    if (status === "refuted") lines.push(`  ${colors.yellow("refuted")}  ${where}: ${detail ?? ""}`);
  }
  lines.push("", colors.bold(source === "probing" ? "Changes: unknown" : `Changes: ${changes.length || "none"}`));
  for (const { kind, where, what, operations: users } of changes) {
    const used = users.length === 0 ? "" : ` (${users.length > 3 ? `${users.length} operations` : users.join(", ")})`;
    lines.push(`  ${kind === "added" ? colors.green("added  ") : colors.red(kind)}  ${where}: ${what}${used}`);
  }
  return lines;
}
export {
  findingView,
  findingsOf,
  reportLines
};
