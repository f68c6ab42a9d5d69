// The document cache stays bounded when a client never repeats a document.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { caller, frozenService } from './caller.js';

setFlagsFromString('--expose-gc');
// The flag adds gc to new contexts.
const collect: () => void = runInNewContext('gc');

function heapMiB(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

test('large documents that are all different do not pile up', async () => {
  const demo = await caller(frozenService().fetch);
  const { getVehicles } = await demo.data('{ getVehicles { id } }');
  const document = (number: number): string => {
    const fields = Array.from({ length: 6000 }, (_, place) => `a${place}: id`).join(' ');
    return `{ getVehicleById(id: "${getVehicles[0].id}") { only${number}: id ${fields} } }`;
  };
  await demo.data(document(0));
  const before = heapMiB();
  for (let number = 1; number <= 25; number += 1) await demo.data(document(number));
  // A parsed document takes 5 MiB.
  expect(heapMiB() - before).toBeLessThan(75);
}, 60_000);
