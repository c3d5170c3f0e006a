/** The seeds that are to be played, both ends included. */
export interface SeedRange {
  readonly first: number;
  readonly last: number;
}

const MOST = 4_294_967_295;

/** Reads `7`, or `1..1000`. */
export function parseSeeds(text: string): SeedRange {
  const parts = /^(\d{1,10})(?:\.\.(\d{1,10}))?$/u.exec(text);
  const first = Number(parts?.[1]);
  const last = Number(parts?.[2] ?? parts?.[1]);
  if (parts === null || last < first || last > MOST) {
    throw new RangeError(`--seeds must be a number or a range such as 1..1000, at most ${MOST}, not "${text}"`);
  }
  return { first, last };
}

export function seedCount({ first, last }: SeedRange): number {
  return last - first + 1;
}

/** Parts of about the same size that can be handed out one after the other. */
export function splitSeeds({ first, last }: SeedRange, size: number): readonly SeedRange[] {
  const parts: SeedRange[] = [];
  for (let begin = first; begin <= last; begin += size)
    parts.push({ first: begin, last: Math.min(last, begin + size - 1) });
  return parts;
}
