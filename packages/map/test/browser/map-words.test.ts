// Problems on the map page in another language.
import { expect, test } from 'vitest';
import { chromium, panel, row, service, startMap } from './map-session.js';

test('reports an outage and a failed day in German, and marks texts that exist only in English', async () => {
  const url = await startMap('--timeout', '3s');
  const { page } = await chromium.open(new URL(url).origin);
  await page.goto(`${url}?lang=de`);
  await row(page, 'Truck 05').click();
  service.faults.add({ kind: 'status', status: 503, times: 1_000, path: '/graphql' });
  const alert = page.getByRole('alert');
  await alert.getByText(/^Keine neuen Daten\. Der Dienst .+\. Neuer Versuch in \d+ s\.$/).waitFor();
  await panel(page).getByLabel('Tag', { exact: true }).fill('2026-02-27');
  // The client retries until its timeout.
  await panel(page)
    .getByText(/^Der Dienst (ist gestört \(HTTP 503\)|antwortet nicht rechtzeitig)\./)
    .waitFor();

  service.faults.clear();
  await page.route('**/day?*', (route) =>
    route.fulfill({ status: 502, json: { message: 'Only English.', hint: null } }),
  );
  await panel(page).getByLabel('Tag', { exact: true }).fill('2026-02-26');
  expect(await panel(page).locator('[lang=en]').textContent()).toBe('Only English.');
  await panel(page).getByRole('button', { name: 'Neu versuchen' }).waitFor();
});
