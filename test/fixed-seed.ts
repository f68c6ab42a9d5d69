// Fixes the seed of fast-check, so that a failure is caused by the change and not by new random
// cases. `FAST_CHECK_SEED=$RANDOM npm run test:heavy` searches for new cases; add each finding as
// an example of its property.
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_260_302) });
