// One small function: the package's modules have no side effects, so bundlers drop the rest.
import { toDate } from 'fleet-telematics';

process.stdout.write(`${toDate(0)?.toISOString()}\n`);
