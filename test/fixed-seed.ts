// A test tries the same cases wherever and whenever it runs, so that a red run says something about the change that it tests.
// `FAST_CHECK_SEED=$RANDOM npm run test:heavy` looks for new cases; what it finds becomes an example of its property.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_302) });
