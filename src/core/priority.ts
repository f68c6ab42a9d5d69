// Which call goes first.

/** Which of a user's waiting calls goes first. */
export type Priority = 'high' | 'normal' | 'low';

/** While calls of a lower priority wait, one of this many turns is for them. */
export const FAIR_TURNS = 8;
