// How high the sheet of a small screen is.

export const sheetStates = ['closed', 'half', 'full'] as const;
export type SheetState = (typeof sheetStates)[number];

/** Pixels per millisecond: a hand that lets go faster has thrown the sheet. */
const FLICK = 0.4;

/**
 * Where it stays when it has been dragged. `part`: of the whole height, where it was let go; `speed`: pixels per millisecond, upwards. A sheet
 * that was thrown goes on at least to the next state, however short the way was.
 */
export function stateAfterDrag(before: SheetState, part: number, speed: number): SheetState {
  const nearest = part < 0.25 ? 0 : part < 0.75 ? 1 : 2;
  const index = sheetStates.indexOf(before);
  const thrown = speed > FLICK ? Math.max(nearest, index + 1) : speed < -FLICK ? Math.min(nearest, index - 1) : nearest;
  return sheetStates[Math.max(0, Math.min(2, thrown))] ?? 'half';
}
