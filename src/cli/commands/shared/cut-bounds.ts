// The start and end of a part of a trip or stop, which goes on before or after it.
import type { Stop, Trip } from '../../../index.js';

type Bounded = Pick<Trip | Stop, 'id' | 'vehicleId' | 'startedAt' | 'endedAt' | 'lastSeenAt' | 'isOpen'> & {
  readonly isStartKnown: boolean;
};

/** Returns the fields of a part. It has an id of its own: a driver may have several of a trip. */
export function cutBounds<EndedBy extends string>(
  whole: Bounded & { readonly endedBy: EndedBy | null },
  startedAt: string,
  endedAt: string | null,
) {
  const isStart = startedAt === whole.startedAt;
  const isEnd = endedAt === whole.endedAt;
  return {
    id: isStart ? whole.id : `${whole.vehicleId}@${startedAt}`,
    startedAt,
    endedAt,
    lastSeenAt: isEnd ? whole.lastSeenAt : (endedAt ?? whole.lastSeenAt),
    endedBy: isEnd ? whole.endedBy : ('period' as const),
    isOpen: isEnd && whole.isOpen,
    isStartKnown: !isStart || whole.isStartKnown,
  };
}
