/** The priority of a call in a user's queue. */
export type Priority = 'high' | 'normal' | 'low';

/** While calls of a lower priority wait, every 8th turn is theirs. */
export const FAIR_TURNS = 8;
