// @ts-check
// The reference service of a soak in its own process; it reports its state on request.
import { loadMock } from '../lib/product.mjs';

/** @typedef {{ sockets: number, rssBytes: number }} Held */

const tell = (/** @type {{ url: string } | Held} */ message) => process.send?.(message);
const { createMockService } = await loadMock();
const service = createMockService(JSON.parse(process.argv[2] ?? '{}'));
const { url } = await service.listen();
process.on('message', () => {
  const sockets = process.getActiveResourcesInfo().filter((type) => type === 'TCPSocketWrap').length;
  tell({ sockets, rssBytes: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
tell({ url });
