import type { NamedInstanceUsage, NodeUsage } from '@smalt/vm-api';
import type { WebSocketStream } from '@smalt/websocket';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startCliBed, type CliBed } from '../output/fixtures/cli-bed.ts';
import { paintFor } from '../output/live-screen.ts';
import { runTop, type TopFlags } from './run-top.ts';
import { sortMachines, topLines, topText, type TopState } from './top-view.ts';
import { nodeRates } from './usage-rates.ts';

const ONCE: TopFlags = { sort: 'cpu', output: 'table' };
const MEBIBYTE = 1_048_576;

describe('nodeRates', () => {
  it('makes rates of totals, per second', () => {
    const rates = nodeRates('n1', usage(0, [machine('a', 1, 0)]), usage(2, [machine('a', 2, 4 * MEBIBYTE)]));

    expect(rates.host.cpu).toBe(1);
    expect(rates.machines[0]).toMatchObject({ host: 'n1', cpu: 0.5, readBytesPerSecond: 2 * MEBIBYTE });
  });

  it.each([
    ['that is new', []],
    ['that was restarted, so that its counters began anew', [machine('a', 9, 9 * MEBIBYTE)]],
  ])('has none yet of a machine %s', (_, before) => {
    const rates = nodeRates('n1', usage(0, before), usage(1, [machine('a', 2, MEBIBYTE)]));

    expect(rates.machines[0]).toMatchObject({ cpu: 0, readBytesPerSecond: 0, memoryUsedBytes: 64 * MEBIBYTE });
  });
});

describe('the view', () => {
  const machines = nodeRates(
    'n1',
    usage(0, [machine('idle', 0, 0), machine('busy', 0, 0)]),
    usage(1, [machine('idle', 0, 0), machine('busy', 1, 3 * MEBIBYTE)]),
  ).machines;
  const state: TopState = {
    hosts: [
      {
        name: 'n1',
        state: 'Ready',
        rates: { cpu: 1, cpus: 4, load1: 0.5, memoryUsedBytes: 2 ** 30, memoryTotalBytes: 2 ** 32 },
        machines: 2,
        trouble: undefined,
      },
      { name: 'n2', state: 'NotReady', rates: undefined, machines: 0, trouble: 'it says nothing' },
    ],
    machines: sortMachines(machines, 'cpu'),
  };

  it('shows hosts, then the machines that use most', () => {
    expect(topText(state)).toBe(
      [
        'HOST  STATE     CPU                    MEMORY                      LOAD  MACHINES',
        'n1    Ready     ███░░░░░░░  25 % of 4  ███░░░░░░░  1 GiB of 4 GiB  0.50  2',
        'n2    NotReady              ?                      ?               ?     0',
        '',
        'NAMESPACE  NAME  HOST  CPU         MEMORY             READ     WRITE  IN  OUT',
        'default    busy  n1    100 % of 1  64 MiB of 128 MiB  3 MiB/s  -      -   -',
        'default    idle  n1    0 % of 1    64 MiB of 128 MiB  -        -      -   -',
        '',
      ].join('\n'),
    );
  });

  it('fits into the rows that there are, and says what is not shown', () => {
    const paint = paintFor({ output: { ...OUTPUT, isTerminal: false }, environment: {} });

    const lines = topLines(state, paint, 8);

    expect(lines.at(-1)).toBe('and 1 more; --sort chooses which come first');
    expect(lines).toContain('n2: it says nothing');
  });

  it.each([
    ['name', ['busy', 'idle']],
    ['disk', ['busy', 'idle']],
    ['memory', ['busy', 'idle']],
  ] as const)('is sorted by %s', (sort, names) => {
    expect(sortMachines(machines, sort).map(({ name }) => name)).toEqual(names);
  });
});

describe('with a cluster', () => {
  let bed: CliBed;

  beforeAll(async () => {
    bed = await startCliBed();
    bed.tell = async (stream) => {
      for (const [at, seconds] of [
        [0, 1],
        [1, 1.5],
      ] as const) {
        await stream.writeText(`${JSON.stringify(usage(at, [machine('web', seconds, 0)]))}\n`);
      }
      await untilLeft(stream);
    };
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('prints once in a pipe, when each host has told enough for rates', async () => {
    const program = bed.program();

    await runTop(program, ONCE);

    expect(program.printed()).toMatch(/^n1 +Ready .* 1$/m);
    expect(program.printed()).toMatch(/^default +web +n1 +50 % of 1 /m);
  });

  it('prints JSON with all numbers', async () => {
    const program = bed.program();

    await runTop(program, { ...ONCE, output: 'json', namespace: 'other' });

    expect(JSON.parse(program.printed())).toMatchObject({ hosts: [{ name: 'n1', rates: { cpus: 4 } }], machines: [] });
  });

  it('is live in a terminal until it is stopped', async () => {
    const program = bed.program({ columns: 100, rows: 20 });

    const showing = runTop(program, ONCE);
    await expect.poll(program.printed).toContain('50 % of 1');
    program.stop.abort();
    await showing;

    expect(program.printed()).toContain('\u001B[J');
  });

  it('says which host does not tell, and ends with 1', async () => {
    bed.tell = (stream) => stream.close(1011, 'no');

    const failure = runTop(bed.program(), ONCE);

    await expect(failure).rejects.toMatchObject({ code: 'failed', message: expect.stringContaining('\nn1: no') });
  });
});

const OUTPUT = { isTerminal: true, size: { columns: 100, rows: 30 }, write: () => Promise.resolve() };

function usage(second: number, machines: readonly NamedInstanceUsage[]): NodeUsage {
  const at = new Date(1_767_323_045_000 + second * 1_000).toISOString();
  const host = { cpuBusySeconds: second, cpus: 4, load1: 0.5, memoryUsedBytes: 2 ** 30, memoryTotalBytes: 2 ** 32 };
  return { at, host, machines: machines.map((each) => ({ ...each, at })) };
}

function machine(name: string, seconds: number, readBytes: number): NamedInstanceUsage {
  return {
    namespace: 'default',
    name,
    at: '',
    cpu: { seconds, vcpus: 1 },
    memory: { residentBytes: 0, usedBytes: 64 * MEBIBYTE, totalBytes: 128 * MEBIBYTE },
    disks: [{ name: 'root', readBytes, writtenBytes: 0, reads: 0, writes: 0 }],
    interfaces: [],
  };
}

async function untilLeft(stream: WebSocketStream): Promise<void> {
  for await (const bytes of stream) if (bytes.length > 0) throw new Error('nobody sends anything here');
}
