import { refusal } from "../errors/cli-error.js";
const form = /^([+-]?\d+(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)$/;
const commaForm = /^([+-]?\d+,\d+)(?:\s*;\s*|,?\s+)([+-]?\d+,\d+)$/;
function parsePosition(text) {
  const [, ...parts] = commaForm.exec(text.trim()) ?? form.exec(text.trim()) ?? [];
  const [first, second] = parts.map((part) => part.replace(",", "."));
  if (first === void 0 || second === void 0) return null;
  const [latitude, longitude] = [Number(first), Number(second)];
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  const isSwapped = Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180;
  const range = Math.abs(latitude) > 90 ? "a latitude is from -90 to 90" : "a longitude is from -180 to 180";
  throw refusal(`"${text.trim()}" is not a position: ${range}.`, {
    hint: isSwapped ? `The latitude comes first: ${second},${first}` : "Write latitude and longitude in degrees, such as 58.34,26.73."
  });
}
export {
  parsePosition
};
