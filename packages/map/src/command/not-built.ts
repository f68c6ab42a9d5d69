// The error of a program that runs from its sources, without the built page.
import { CliError } from 'fleet-telematics/kit/command';

export function notBuilt(): CliError {
  return new CliError('CONFIGURATION', 'The files of the map are not beside this program.', {
    hint: 'In a clone, run `npm run build`. Otherwise install the package again.',
  });
}
