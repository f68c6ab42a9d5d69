export const GRACE_MS = 5000;
