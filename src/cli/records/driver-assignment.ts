// Driver assignments: who drives a vehicle from when to when. The service lists them by vehicle or driver, and changes them by rules of its
// own, which drivers/foresight.ts knows: no other module compares them member by member.
export const assignmentKind = { noun: 'driver assignment', plural: 'driver assignments' } as const;
