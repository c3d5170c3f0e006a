import { expect, it } from 'vitest';

import { aSample } from './fixtures/a-sample.ts';
import type { FleetResult, FleetSample } from './fleet-result.ts';
import { keepSamples } from './keep-samples.ts';

const SIZES = [100, 300, 1_000];

it('keeps the sample of every size', async () => {
  const { samples, end } = await keep(growing());

  expect(samples.map(({ hosts }) => hosts)).toEqual(SIZES);
  expect(end).toBeUndefined();
});

it('keeps what it has when a size is not brought up in time, and says which and why', async () => {
  const result = await keep(growing({ failsAt: 300 }));

  expect(result.samples.map(({ hosts }) => hosts)).toEqual([100]);
  expect(result.end).toEqual({ kind: 'failed', hosts: 300, why: '300 hosts are too slow' });
});

it('says so when not even the server starts', async () => {
  const result = await keep(growing({ failsAt: 100 }));

  expect(result).toEqual({
    server: 'kubernetes',
    samples: [],
    end: { kind: 'failed', hosts: 100, why: '100 hosts are too slow' },
  });
});

it('keeps all samples of a fleet that cannot be ended in order', async () => {
  const { samples, end } = await keep(growing({ failsAtEnd: true }));

  expect(samples).toHaveLength(3);
  expect(end).toEqual({ kind: 'failed', hosts: undefined, why: 'the server does not stop' });
});

it('leaves a size out that the machine has no processors for, which is no failure, and ends the fleet', async () => {
  const ended: string[] = [];

  const { samples, end } = await keep(growing({ busyShareOfHost: 0.002, onEnd: () => ended.push('ended') }));

  expect(samples.map(({ hosts }) => hosts)).toEqual([100, 300]);
  const why = '100 hosts keep 20 %, 300 hosts keep 60 % of this machine busy';
  expect(end).toEqual({ kind: 'left-out', hosts: 1_000, why });
  expect(ended).toEqual(['ended']);
});

it('keeps what it has when somebody stops it, and says who', async () => {
  const stopping = new AbortController();
  stopping.abort(new Error('stopped by SIGINT'));

  const { samples, end } = await keep(growing({ failsAt: 1_000 }), stopping.signal);

  expect(samples).toHaveLength(2);
  expect(end).toMatchObject({ kind: 'failed', hosts: 1_000, why: 'stopped by SIGINT' });
});

async function keep(samples: AsyncIterable<FleetSample>, signal = new AbortController().signal): Promise<FleetResult> {
  return await keepSamples({ server: 'kubernetes', sizes: SIZES, signal }, samples);
}

interface Story {
  readonly failsAt?: number;
  readonly failsAtEnd?: boolean;
  readonly busyShareOfHost?: number;
  readonly onEnd?: () => void;
}

async function* growing(story: Story = {}): AsyncGenerator<FleetSample> {
  try {
    for (const hosts of SIZES) {
      if (hosts === story.failsAt) throw new Error(`${hosts} hosts are too slow`);
      yield { ...aSample(hosts), busyShare: hosts * (story.busyShareOfHost ?? 0.0001) };
    }
    if (story.failsAtEnd === true) throw new Error('the server does not stop');
  } finally {
    story.onEnd?.();
  }
}
