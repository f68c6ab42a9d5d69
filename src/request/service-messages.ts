// The service's own words in an error's message, for clients that ask for them.
import { FleetError } from '../core/errors.js';

/** More than this says nothing new, and would fill a log. */
const MOST_CHARACTERS = 1_000;

/** The message of an error with what the service said, also when that is in its cause, as after a change whose outcome is unknown. */
export function messageWithServiceWords(error: FleetError): string {
  const said = wordsIn(error) ?? wordsIn(error.cause);
  return said === null ? error.message : `${error.message} The service said: ${said}`;
}

function wordsIn(error: unknown): string | null {
  if (!FleetError.is(error) || (error.code !== 'GRAPHQL' && error.code !== 'HTTP')) return null;
  if (error.serviceErrors.length === 0) return null;
  const said = error.serviceErrors.map(({ message }) => message).join('; ');
  return said.length > MOST_CHARACTERS ? `${said.slice(0, MOST_CHARACTERS)}…` : said;
}
