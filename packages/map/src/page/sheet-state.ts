// The height of the sheet on a small screen.
export const sheetStates = ['closed', 'half', 'full'] as const;
export type SheetState = (typeof sheetStates)[number];

/** In pixels per millisecond: a faster release is a flick. */
const FLICK = 0.4;

/**
 * A flick moves at least one state. `part`: released height, 0 to 1; `speed`: pixels/ms, upwards.
 */
export function stateAfterDrag(before: SheetState, part: number, speed: number): SheetState {
  const nearest = part < 0.25 ? 0 : part < 0.75 ? 1 : 2;
  const index = sheetStates.indexOf(before);
  const thrown = speed > FLICK ? Math.max(nearest, index + 1) : speed < -FLICK ? Math.min(nearest, index - 1) : nearest;
  return sheetStates[Math.max(0, Math.min(2, thrown))] ?? 'half';
}
