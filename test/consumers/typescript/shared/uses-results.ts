// Does not import the package itself: TypeScript must find the names through another file.
import { connect, slim, trips, watched, whole } from './results.js';

export const open = connect;
export const firstOf = async (client: Parameters<typeof slim>[0]) => (await slim(client))[0];
export const names = async (client: Parameters<typeof whole>[0]) => (await whole(client)).map(({ name }) => name);
export const vehiclesOf = async (client: Parameters<typeof whole>[0]) => await whole(client);
export async function* everything() {
  yield* trips();
  for await (const event of watched()) yield event;
}
