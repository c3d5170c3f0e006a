import { describe, expect, it } from 'vitest';

import { judge } from '../../fixtures/judge.ts';
import { invalid } from '../../cause.ts';
import { domain } from '../../fixtures/small-instance.ts';

const REQUEST = 'spec.domain.resources.requests.cpu';
const LIMIT = 'spec.domain.resources.limits.cpu';
const CPU = 'spec.domain.cpu';
const PLACEMENT = 'spec.domain.cpu.dedicatedCpuPlacement';
const dedicated = { dedicatedCpuPlacement: true, cores: 2 } as const;

describe('the rules about dedicated processors', () => {
  it.each([
    {
      rule: 'memory is known',
      bad: domain({ cpu: dedicated, memory: { guest: '0' } }),
      causes: [
        invalid(
          'spec.domain.resources.limits.memory',
          'spec.domain.resources.requests.memory, spec.domain.resources.limits.memory, spec.domain.memory.hugepages or spec.domain.memory.guest should be provided',
        ),
      ],
      good: domain({ cpu: dedicated }),
    },
    {
      rule: 'requests are whole processors',
      bad: domain({ cpu: { dedicatedCpuPlacement: true }, resources: { requests: { cpu: '1500m' } } }),
      causes: [invalid(REQUEST, 'provided resources CPU requests must be an interger')],
      good: domain({ cpu: { dedicatedCpuPlacement: true }, resources: { requests: { cpu: '2000m' } } }),
    },
    {
      rule: 'limits are whole processors',
      bad: domain({ cpu: { dedicatedCpuPlacement: true }, resources: { limits: { cpu: '1500m' } } }),
      causes: [invalid(LIMIT, 'provided resources CPU limits must be an interger')],
      good: domain({ cpu: { dedicatedCpuPlacement: true }, resources: { limits: { cpu: '2' } } }),
    },
    {
      rule: 'memory is requested as it is limited',
      bad: domain({ cpu: dedicated, resources: { requests: { memory: '64Mi' }, limits: { memory: '65Mi' } } }),
      causes: [
        invalid(
          'spec.domain.resources.requests.memory',
          'spec.domain.resources.requests.memory must be equal to spec.domain.resources.limits.memory',
        ),
      ],
      good: domain({ cpu: dedicated, resources: { requests: { memory: '64Mi' }, limits: { memory: '65536Ki' } } }),
    },
    {
      rule: 'some processors are asked for',
      bad: domain({ cpu: { dedicatedCpuPlacement: true } }),
      causes: [
        invalid(
          PLACEMENT,
          `either ${REQUEST} or ${LIMIT} or ${CPU}.cores must be provided when DedicatedCPUPlacement is true `,
        ),
      ],
      good: domain({ cpu: { dedicatedCpuPlacement: true, sockets: 1 } }),
    },
    {
      rule: 'processors are requested as they are limited',
      bad: domain({ cpu: { dedicatedCpuPlacement: true }, resources: { requests: { cpu: 2 }, limits: { cpu: 4 } } }),
      causes: [invalid(PLACEMENT, `${REQUEST} or ${LIMIT} must be equal when DedicatedCPUPlacement is true `)],
      good: domain({ cpu: { dedicatedCpuPlacement: true }, resources: { requests: { cpu: 4 }, limits: { cpu: 4 } } }),
    },
    {
      rule: 'amounts and topology agree',
      bad: domain({ cpu: dedicated, resources: { requests: { cpu: 3 } } }),
      causes: [
        invalid(
          PLACEMENT,
          `${REQUEST} or ${LIMIT} must not be provided at the same time with ${CPU}.cores when DedicatedCPUPlacement is true `,
        ),
      ],
      good: domain({ cpu: { ...dedicated, sockets: 2 }, resources: { requests: { cpu: 4 } } }),
    },
    {
      rule: 'a core has two threads at most',
      bad: domain({ cpu: { ...dedicated, threads: 3 } }),
      causes: [
        invalid(
          PLACEMENT,
          `Not more than two threads must be provided at ${CPU}.threads (got 3) when DedicatedCPUPlacement is true`,
        ),
      ],
      good: domain({ cpu: { ...dedicated, threads: 2 } }),
    },
    {
      rule: 'a core of arm64 has one thread',
      bad: { ...domain({ cpu: { ...dedicated, threads: 2 } }), architecture: 'arm64' },
      causes: [
        invalid(
          'spec.architecture',
          `threads must not be greater than 1 at ${CPU}.threads (got 2) when spec.architecture is arm64`,
        ),
      ],
      good: { ...domain({ cpu: { ...dedicated, threads: 1 } }), architecture: 'arm64' },
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});
