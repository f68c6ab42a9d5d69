// @ts-check
// Fifty calls just after the token has expired.
import { latencyMs, startFleet } from '../lib/fleet-with-latency.mjs';
import { advanceClock, answeredWith, askedFor, takeJournal } from '../lib/mock-control.mjs';
import { loadProduct } from '../lib/product.mjs';
import { demo } from '../lib/scenario.mjs';
import { shownMs } from '../lib/stats.mjs';
import { small } from '../lib/vehicle-queries.mjs';

export const title = '50 calls on an expired token';

/** A token lives for 300 s. */
const pastItsLife = 301_000;

/** @type {import('../lib/scenario.mjs').Scenario['run']} */
export async function run(report) {
  const { FleetClient } = await loadProduct();
  const fleet = await startFleet();
  const { url } = fleet.target;
  const ids = fleet.ids.slice(0, 50);

  /** @param {{ merge?: false, knows: boolean }} how */
  const outcome = async ({ merge, knows }) => {
    let ahead = 0;
    const client = new FleetClient({
      baseUrl: url,
      credentials: demo,
      merge,
      clock: { now: () => Date.now() + ahead },
    });
    await client.getVehicleById({ id: ids[0] ?? '' }, { select: small });
    await advanceClock(url, pastItsLife);
    if (knows) ahead = pastItsLife;
    await takeJournal(url);
    const begun = performance.now();
    const settled = await Promise.allSettled(ids.map((id) => client.getVehicleById({ id }, { select: small })));
    const ms = performance.now() - begun;
    const journal = await takeJournal(url);
    await client.close();
    return {
      refreshes: askedFor(journal, '/login/refresh'),
      logins: askedFor(journal, '/login/token'),
      refused: answeredWith(journal, 401),
      requests: askedFor(journal, '/graphql'),
      failed: settled.filter(({ status }) => status === 'rejected').length,
      ms,
    };
  };
  const rows = {
    'expired, as the clock says': await outcome({ knows: true }),
    'the same, nothing merged': await outcome({ knows: true, merge: false }),
    'ended by the service before its time': await outcome({ knows: false }),
    'the same, nothing merged ': await outcome({ knows: false, merge: false }),
  };
  await fleet.stop();

  report.text(
    `50 lookups at once, ${latencyMs} ms a request, right after the token has expired. A client that is told nothing but the life of`,
  );
  report.text(
    'its token can know of the first two cases; the last two it can only find out. The others have no session: whoever uses them writes one.',
  );
  report.table(
    ['fleet-telematics', 'refreshes', 'logins', 'requests', '401 at the service', 'calls that failed', 'time'],
    Object.entries(rows).map(([name, { refreshes, logins, requests, refused, failed, ms }]) => [
      name.trim(),
      `${refreshes}`,
      `${logins}`,
      `${requests}`,
      `${refused}`,
      `${failed}`,
      shownMs(ms),
    ]),
  );
  const expired = [rows['expired, as the clock says'], rows['the same, nothing merged']];
  const all = Object.values(rows);
  const most = (/** @type {readonly number[]} */ counts) => Math.max(...counts);
  const refreshes = most(expired.map((row) => row.refreshes));
  const refused = most(expired.map((row) => row.refused));
  const logins = most(all.map((row) => row.logins));
  return [
    {
      what: '50 calls on an expired token',
      bar: '1 refresh, no 401',
      reached: `${refreshes} refresh${refreshes === 1 ? '' : 'es'}, ${refused} of 401, ${logins} logins`,
      met: expired.every((row) => row.refreshes === 1 && row.refused === 0 && row.failed === 0) && logins === 0,
      others: 'n/a: no session',
    },
    {
      what: '50 calls on a token that the service ended',
      bar: '1 refresh, no call fails',
      reached: `${most(all.slice(2).map((row) => row.refreshes))} refresh, ${most(all.slice(2).map((row) => row.failed))} fail`,
      met: all.slice(2).every((row) => row.refreshes === 1 && row.failed === 0),
      others: 'n/a: no session',
    },
  ];
}
