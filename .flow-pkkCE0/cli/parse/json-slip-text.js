import { jsonSlip, lineAndColumn } from "../../core/json-slip.js";
function jsonSlipText(text, line = 1) {
  const slip = jsonSlip(text);
  if (slip === null) return "";
  if (slip.isCut) return "It ends before it is complete.";
  const at = lineAndColumn(text, slip.at);
  return `The syntax error is at line ${at.line + line - 1}, column ${at.column}.`;
}
export {
  jsonSlipText
};
