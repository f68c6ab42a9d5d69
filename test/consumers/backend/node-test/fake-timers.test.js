import { endsOnTheFakeClock } from '../src/ends-on-the-fake-clock.js';

endsOnTheFakeClock({ isInProcess: true });
