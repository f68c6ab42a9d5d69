import { endsOnTheFakeClock } from '../src/ends-on-the-fake-clock.js';

// A connection is reused after a turn of the event loop, so setImmediate is not faked.
endsOnTheFakeClock({ isInProcess: false, apis: ['setTimeout', 'setInterval', 'Date'] });
