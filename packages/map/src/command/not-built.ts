// The error of a program that runs from its sources, without the built page.
import { CliError } from 'fleet-telematics/kit/command';

export function notBuiltError(): CliError {
  return new CliError('CONFIGURATION', 'The built files of the map page are missing.', {
    hint: 'In a clone, run `npm run build`. Otherwise install the package again.',
  });
}
