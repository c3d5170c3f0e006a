/** What became of a batch. */
export const PushResult = {
  taken: 'taken',
  refused: 'refused',
  unauthorized: 'unauthorized',
  tooMany: 'too-many',
  tooLarge: 'too-large',
  broken: 'broken',
  unavailable: 'unavailable',
} as const;
export type PushResult = (typeof PushResult)[keyof typeof PushResult];
