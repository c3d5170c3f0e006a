import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { readRecordedBridges, type RecordedBridge } from './fixtures/recorded-bridge.ts';
import {
  type Flow,
  isOpenFlowError,
  printFlow,
  readAggregateStats,
  readFlowStats,
  readPortDescriptions,
  readPortStats,
  readTableStats,
} from './index.ts';

const bridges = readRecordedBridges();
const [first] = bridges;
if (first === undefined) throw new Error('nothing is recorded');

describe.each(bridges)('a bridge that speaks OpenFlow $name', (bridge) => {
  it('has its flows written as ovs-ofctl writes them, every match and action', () => {
    const printed = flowsOf(bridge).map(printFlow);

    expect(printed).toEqual(bridge.text);
  });

  it('leaves nothing of its flows unknown', () => {
    const printed = flowsOf(bridge).map(printFlow).join('\n');

    expect(printed).not.toMatch(/unknown_|field\(/);
  });

  it('has its flows counted', () => {
    expect(readAggregateStats(bridge.version, bridge.aggregate)).toEqual({ flows: 61, packets: 0n, bytes: 0n });
  });

  it('has its tables counted', () => {
    const flows = readTableStats(bridge.tables).map(({ table, flows: count }) => [table, count]);

    expect(flows).toEqual([
      [0, 0],
      [1, 6],
      [2, 19],
      [3, 5],
      [4, 8],
      [5, 3],
      [6, 2],
      [7, 9],
    ]);
  });

  it('has its ports described', () => {
    const ports = readPortDescriptions(bridge.version, bridge.ports);

    expect(new Map(ports.map(({ port, name }) => [port, name]))).toEqual(
      new Map([
        [1, 'zoo1'],
        [2, 'zoo2'],
        [3, 'zoo3'],
        [4, 'zoo4'],
        [5, 'zoo5'],
        [65_534, 'br-zoo'],
      ]),
    );
    expect(ports.find(({ port }) => port === 65_534)).toMatchObject({ mac: 'ca:61:a4:fb:a0:46', isLinkDown: false });
  });

  it('tells counters it does not keep from those that are 0', () => {
    const [port] = readPortStats(bridge.version, bridge.portStats);

    expect(port).toMatchObject({
      receivedPackets: 0n,
      sentBytes: 0n,
      receivedDropped: undefined,
      sentErrors: undefined,
    });
  });
});

describe('bytes that were changed on the way', () => {
  it('are read as something or refused with an OpenFlowError, never anything else', () => {
    const changes = fc.array(fc.tuple(fc.nat(1 << 16), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.constantFrom(...bridges), changes, fc.nat(1 << 16), (bridge, changed, cut) => {
        const bytes = Buffer.from(bridge.flows[0] ?? Buffer.alloc(0));
        for (const [at, value] of changed) bytes.writeUInt8(value, at % bytes.length);

        const outcome = readEverything(bridge.version, bytes.subarray(0, bytes.length - (cut % 256)));

        expect(outcome).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('are refused if a flow says that it is longer than what came', () => {
    const [bytes = Buffer.alloc(0)] = first.flows;

    const read = () => [...readFlowStats(first.version, bytes.subarray(0, bytes.length - 1))];

    expect(read).toThrow(expect.objectContaining({ code: 'malformed' }));
  });
});

function flowsOf(bridge: RecordedBridge): readonly Flow[] {
  return bridge.flows.flatMap((part) => [...readFlowStats(bridge.version, part)]);
}

function readEverything(version: number, bytes: Buffer): boolean {
  try {
    for (const flow of readFlowStats(version, bytes)) printFlow(flow);
    return true;
  } catch (error) {
    return isOpenFlowError(error);
  }
}
