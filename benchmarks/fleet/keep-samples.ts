import { messageOf } from '@smalt/service-runtime';

import { hasRoomFor } from './figures.ts';
import type { FleetEnd, FleetResult, FleetSample } from './fleet-result.ts';
import type { ServerName } from './server-name.ts';

export interface SampleSettings {
  readonly server: ServerName;
  /** The sizes that samples come of, in their order. */
  readonly sizes: readonly number[];
  readonly signal: AbortSignal;
}

/**
 * Takes samples of a fleet that grows for as long as the machine has room for the next size. Never throws: whatever goes
 * wrong, the samples so far are kept, and the result says what ended it.
 */
export async function keepSamples(
  { server, sizes, signal }: SampleSettings,
  growing: AsyncIterable<FleetSample>,
): Promise<FleetResult> {
  const samples: FleetSample[] = [];
  let end: FleetEnd | undefined;
  try {
    for await (const sample of growing) {
      samples.push(sample);
      end = leftOut(sizes[samples.length], samples);
      if (end !== undefined) break;
    }
  } catch (error) {
    const why = messageOf(signal.aborted ? signal.reason : error);
    end = { kind: 'failed', hosts: sizes[samples.length], why };
  }
  return { server, samples, end };
}

function leftOut(hosts: number | undefined, samples: readonly FleetSample[]): FleetEnd | undefined {
  if (hosts === undefined || hasRoomFor(hosts, samples)) return undefined;
  const busy = samples.slice(-2).map((sample) => `${sample.hosts} hosts keep ${(sample.busyShare * 100).toFixed(0)} %`);
  return { kind: 'left-out', hosts, why: `${busy.join(', ')} of this machine busy` };
}
