import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { NodeCell } from '../domain-context.ts';
import { anInput, anInstance } from '../fixtures/an-instance.ts';
import { printStep } from '../fixtures/print-step.ts';
import { numaTuningStep } from '../root/numa-tuning-step.ts';
import { processorModelStep } from '../root/processor-model-step.ts';
import { processorTuningStep } from '../root/processor-tuning-step.ts';
import { splitMemory } from './guest-cells.ts';
import { pinProcessors } from './pin-processors.ts';

const twoCells = makeTwoCells();

describe('placing processors', () => {
  it('puts threads of a core on threads of a core, and the emulator on what is left', () => {
    const pinning = pinProcessors({
      topology: { count: 4, threads: 2 },
      cpus: [0, 1, 2, 4, 6],
      cells: twoCells,
      isolateEmulator: true,
      ioThreads: 0,
    });

    expect(pinning).toEqual({
      processors: [
        { virtual: 0, host: 0, cell: 0 },
        { virtual: 1, host: 4, cell: 0 },
        { virtual: 2, host: 2, cell: 1 },
        { virtual: 3, host: 6, cell: 1 },
      ],
      emulator: [1],
      ioThreads: [1],
    });
  });

  it('lets the emulator run where the guest runs when it has nothing of its own', () => {
    const pinning = pinProcessors({
      topology: { count: 2, threads: 1 },
      cpus: [1, 5],
      cells: twoCells,
      isolateEmulator: false,
      ioThreads: 2,
    });

    expect([pinning.emulator, pinning.ioThreads]).toEqual([
      [1, 5],
      [1, 5],
    ]);
  });

  it('gives threads for disks processors before the emulator takes the rest', () => {
    const request = { topology: { count: 1, threads: 1 }, cpus: [0, 1, 2, 3, 4], cells: twoCells, ioThreads: 2 };

    const pinning = pinProcessors({ ...request, isolateEmulator: true });

    expect([pinning.processors[0]?.host, pinning.ioThreads, pinning.emulator]).toEqual([0, [4, 1], [2, 3]]);
  });

  it.each([
    [[], 1, false, 1],
    [[0, 1], 2, true, 3],
    [[0, 0, 0], 2, false, 2],
  ])('refuses %o for %i processors, isolated: %s', (cpus, count, isolateEmulator, wanted) => {
    const request = { topology: { count, threads: 1 }, cpus, cells: twoCells, isolateEmulator, ioThreads: 0 };

    expect(() => pinProcessors(request)).toThrow(
      expect.objectContaining({ code: 'too-few-cpus', message: expect.stringContaining(`${wanted} processors`) }),
    );
  });

  it('never gives a processor of the host to two of the guest, nor one that is not its own', () => {
    const request = fc.record({
      cpus: fc.uniqueArray(fc.nat(12), { minLength: 3 }),
      threads: fc.constantFrom(1, 2),
      isolateEmulator: fc.boolean(),
      ioThreads: fc.nat(3),
    });
    fc.assert(
      fc.property(request, ({ cpus, threads, ...rest }) => {
        const count = cpus.length - 2;
        const { processors, emulator } = pinProcessors({
          ...rest,
          cpus,
          cells: twoCells,
          topology: { count, threads },
        });
        const hosts = processors.map(({ host }) => host);

        expect(new Set(hosts).size).toBe(count);
        expect(hosts.every((host) => cpus.includes(host))).toBe(true);
        expect(rest.isolateEmulator && emulator.some((host) => hosts.includes(host))).toBe(false);
      }),
    );
  });
});

describe('NUMA cells', () => {
  const cpu = { cores: 4, dedicatedCpuPlacement: true, numa: { guestMappingPassthrough: {} } };
  const instance = anInstance({ cpu, memory: { guest: '5Mi', hugepages: { pageSize: '2Mi' } } });
  const input = anInput(instance, { dedicatedCpus: [0, 1, 2, 3], node: { cells: twoCells } });

  it('of the guest are those of the host that it runs on, with their distances', () => {
    expect(printStep(processorModelStep, input)[0]).toContain(
      "<numa><cell id='0' cpus='0-1' memory='3145728' unit='b'><distances><sibling id='0' value='10'/>" +
        "<sibling id='1' value='20'/></distances></cell><cell id='1' cpus='2-3' memory='2097152' unit='b'>",
    );
    expect(printStep(numaTuningStep, input)).toEqual([
      "<numatune><memory mode='strict' nodeset='0-1'/><memnode cellid='0' mode='strict' nodeset='0'/>" +
        "<memnode cellid='1' mode='strict' nodeset='1'/></numatune>",
    ]);
  });

  it('share the memory without losing a byte, all but the first in whole pages', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 45n }), fc.integer({ min: 1, max: 8 }), (bytes, parts) => {
        const shares = splitMemory(bytes, parts, 2_097_152n);

        expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(bytes);
        expect(shares.slice(1).every((share) => share % 2_097_152n === 0n)).toBe(true);
      }),
    );
  });
});

describe('tuning of processors', () => {
  it.each([
    [{ realtime: {} }, '0-3'],
    [{ realtime: { mask: '0-9,^1' } }, '0,2-3'],
  ])('runs %o in real time on %s', (cpu, vcpus) => {
    const [tuning] = printStep(processorTuningStep, anInput(anInstance({ cpu: { cores: 4, ...cpu } })));

    expect(tuning).toBe(`<cputune><vcpusched vcpus='${vcpus}' scheduler='fifo' priority='1'/></cputune>`);
  });

  it('is left out when nothing is to be tuned', () => {
    const inputs = [{}, { realtime: { mask: '^1' } }].map((cpu) => anInput(anInstance({ cpu })));

    expect(inputs.flatMap((input) => printStep(processorTuningStep, input))).toEqual([]);
  });
});

/** Two cells with two cores of two threads each: 0, 1 | 2, 3, and their siblings 4, 5 | 6, 7. */
function makeTwoCells(): readonly NodeCell[] {
  return [0, 1].map((id) => ({
    id,
    cpus: [0, 1, 4, 5].map((cpu) => ({ id: cpu + 2 * id, siblings: [(cpu % 4) + 2 * id, (cpu % 4) + 2 * id + 4] })),
    distances: [0, 1].map((cell) => ({ cell, distance: cell === id ? 10 : 20 })),
  }));
}
