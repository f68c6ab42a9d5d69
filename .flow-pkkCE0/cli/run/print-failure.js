import { colorsFor } from "../io/colors.js";
import { plainLines, plainText } from "../io/plain-text.js";
import { wrapFor } from "../io/wrap.js";
import { printedJson } from "../output/json.js";
const MAX_CHOICES_SHOWN = 20;
function reportRemarks(remarks, io) {
  for (const remark of remarks) io.stderr.write(`${wrapFor(io.stderr, plainText(remark))}
`);
}
function reportWarnings(warnings, io) {
  if (warnings.length === 0) return;
  const colors = colorsFor(io.stderr, io.env);
  for (const warning of new Set(warnings)) {
    io.stderr.write(`${wrapFor(io.stderr, `${colors.yellow("warning:")} ${plainText(warning)}`)}
`);
  }
}
function withWarnings(failure, warnings) {
  if (warnings.length === 0) return failure;
  return { ...failure, hint: [...new Set(warnings), failure.hint].filter((text) => text !== null).join(" ") };
}
function reportFailure(failure, io, how) {
  if (how.json) {
    const { code, operation, responseId, exitCode, hint, choices } = failure;
    const message = [failure.message, ...failure.details].join(" ");
    const named = responseId === null ? {} : { responseId };
    const error = { code, message, operation, ...named, exitCode, hint, ...choices === void 0 ? {} : { choices } };
    io.stderr.write(`${printedJson({ error }, 0, io.stderr.isTTY === true)}
`);
    return;
  }
  const colors = colorsFor(io.stderr, io.env);
  const lines = [
    `${colors.red("error:")} ${plainLines(failure.message)}`,
    ...failure.details.map((detail) => `  ${plainText(detail)}`),
    ...choiceLines(failure.choices ?? [])
  ];
  if (failure.hint !== null) lines.push(`${colors.dim("hint:")} ${plainText(failure.hint)}`);
  const bug = how.stack ? bugIn(failure) : null;
  const stack = bug === null ? "" : `${plainLines(bug.stack ?? "")}
`;
  io.stderr.write(`${wrapFor(io.stderr, lines.join("\n"))}
${stack}`);
}
function choiceLines(all) {
  const choices = all.slice(0, MAX_CHOICES_SHOWN);
  const names = [...new Set(choices.flatMap((choice) => Object.keys(choice)))];
  const rows = choices.map((choice) => names.map((name) => plainText(choice[name] ?? "")));
  const widths = names.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const lines = rows.map((row) => row.map((text, index) => text.padEnd(widths[index] ?? 0)).join("  "));
  if (all.length > choices.length) lines.push(`and ${all.length - choices.length} more`);
  return lines.map((line) => `  ${line}`.trimEnd());
}
function bugIn({ code, error }) {
  const thrown = code === "TRANSPORT" && error instanceof Error ? error.cause : code === "UNEXPECTED" ? error : null;
  return thrown instanceof Error ? thrown : null;
}
export {
  reportFailure,
  reportRemarks,
  reportWarnings,
  withWarnings
};
