/** Something that must not happen, with all that is needed to make it happen again. */
export class Finding extends Error {
  override readonly name = 'Finding';
}

/** One part of the client under attack. Runs `frames` of them and throws a Finding at the first thing that is wrong. */
export type Attack = (frames: number, seed: number, onProgress: (done: number) => void) => Promise<void>;
