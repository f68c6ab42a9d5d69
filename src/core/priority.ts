// Which call goes first.

/** Which of a user's waiting calls goes first. */
export type Priority = 'high' | 'normal' | 'low';
