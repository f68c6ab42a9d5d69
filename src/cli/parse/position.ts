// Parses a position such as 58.34,26.73: latitude first, in degrees.
import { refusal } from '../errors/cli-error.js';

export interface ParsedPosition {
  readonly latitude: number;
  readonly longitude: number;
}

const form = /^([+-]?\d+(?:\.\d+)?)\s*[,;\s]\s*([+-]?\d+(?:\.\d+)?)$/;

/** A position with decimal commas: `58,34; 26,73`. More than a comma separates the numbers. */
const commaForm = /^([+-]?\d+,\d+)(?:\s*;\s*|,?\s+)([+-]?\d+,\d+)$/;

/** Parses a position; null for other text. Throws CliError USAGE for a number out of range. */
export function parsePosition(text: string): ParsedPosition | null {
  const [, ...parts] = commaForm.exec(text.trim()) ?? form.exec(text.trim()) ?? [];
  const [first, second] = parts.map((part) => part.replace(',', '.'));
  if (first === undefined || second === undefined) return null;
  const [latitude, longitude] = [Number(first), Number(second)];
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  const isSwapped = Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180;
  const range = Math.abs(latitude) > 90 ? 'a latitude is from -90 to 90' : 'a longitude is from -180 to 180';
  throw refusal(`"${text.trim()}" is not a position: ${range}.`, {
    hint: isSwapped
      ? `The latitude comes first: ${second},${first}`
      : 'Write latitude and longitude in degrees, such as 58.34,26.73.',
  });
}
