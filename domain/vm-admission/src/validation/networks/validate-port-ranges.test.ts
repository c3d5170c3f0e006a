import { describe, expect, it } from 'vitest';

import type { PortRange } from '@smalt/vm-api';

import { judge } from '../../fixtures/judge.ts';
import { invalid } from '../../cause.ts';
import { withInterface } from '../../fixtures/small-instance.ts';

const LIST = 'spec.domain.devices.interfaces';
const FIRST = `${LIST}[0]`;

describe('the rules about ranges of ports', () => {
  const open = { featureGates: ['PortRangesSpec'] };

  it.each([
    {
      rule: 'the protocol is known',
      bad: [{ protocol: 'ICMP', start: 1, end: 2 }],
      causes: [invalid(`${FIRST}.portRanges[0].protocol`, 'Unknown protocol, only TCP or UDP allowed')],
    },
    {
      rule: 'the start is a port',
      bad: [tcp(0, 2)],
      causes: [invalid(`${FIRST}.portRanges[0].start`, 'Start must be a valid port number, 0 < x < 65536')],
    },
    {
      rule: 'the end is a port',
      bad: [tcp(1, 65_536)],
      causes: [invalid(`${FIRST}.portRanges[0].end`, 'End must be a valid port number, 0 < x < 65536')],
    },
    {
      rule: 'the end comes last',
      bad: [tcp(3, 2)],
      causes: [invalid(`${FIRST}.portRanges[0].start`, 'Start must be less than or equal to end')],
    },
    {
      rule: 'ranges do not overlap',
      bad: [tcp(20, 30), tcp(1, 20), { protocol: 'UDP', start: 1, end: 9 }],
      causes: [invalid(`${FIRST}.portRanges`, 'TCP portRanges [1-20] and [20-30] overlap')],
    },
    {
      rule: 'there are ten at most',
      bad: Array.from({ length: 11 }, (_item, index) => tcp(index + 1, index + 1)),
      causes: [invalid(`${FIRST}.portRanges`, 'No more than 10 portRanges are allowed')],
    },
  ])('$rule', ({ bad, causes }) => {
    expect(judge(withInterface({ portRanges: bad }), open)).toEqual(causes);
  });

  it('takes ranges only for masquerade, without single ports, behind the gate', () => {
    const portRanges = [tcp(1, 2), tcp(3, 3)];

    expect(judge(withInterface({ portRanges }), open)).toEqual([]);
    expect(judge(withInterface({ portRanges }))).toEqual([
      invalid(
        `${FIRST}.name`,
        'portRanges is specified on interface but the PortRangesSpec feature gate is not enabled',
      ),
    ]);
    expect(judge(withInterface({ bridge: {}, portRanges, ports: [{ port: 1 }] }), open)).toEqual([
      invalid(`${FIRST}.name`, 'Cannot define both ports and portRanges on interface'),
      invalid(`${FIRST}.name`, 'portRanges are only supported on masquerade interfaces'),
    ]);
  });
});

function tcp(start: number, end: number): PortRange {
  return { protocol: 'TCP', start, end };
}
