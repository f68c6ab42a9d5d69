// One small function: everything else is left out of the bundle, because the package's modules have no side effects.
import { toDate } from 'fleet-telematics';

process.stdout.write(`${toDate(0)?.toISOString()}\n`);
