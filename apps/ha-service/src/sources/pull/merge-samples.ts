import type { SignalSample } from '../../ports/telemetry-store.ts';

/** One word for each host and source: its newest sign of life if there is any, else the newest that it is dead. */
export function mergeSamples(samples: readonly SignalSample[]): readonly SignalSample[] {
  const merged = new Map<string, SignalSample>();
  for (const sample of samples) {
    const key = `${sample.source} ${sample.host}`;
    const other = merged.get(key);
    if (other === undefined || isStronger(sample, other)) merged.set(key, sample);
  }
  return [...merged.values()];
}

function isStronger(one: SignalSample, other: SignalSample): boolean {
  return one.kind === other.kind ? one.at > other.at : one.kind === 'alive';
}
