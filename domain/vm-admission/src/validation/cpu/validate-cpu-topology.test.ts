import { describe, expect, it } from 'vitest';

import { judge } from '../../fixtures/judge.ts';
import { invalid, notSupported, required } from '../../cause.ts';
import { domain } from '../../fixtures/small-instance.ts';

const REQUEST = 'spec.domain.resources.requests.cpu';
const LIMIT = 'spec.domain.resources.limits.cpu';
const CPU = 'spec.domain.cpu';
const PLACEMENT = 'spec.domain.cpu.dedicatedCpuPlacement';
const NUMA = 'spec.domain.cpu.numa.guestMappingPassthrough';
const dedicated = { dedicatedCpuPlacement: true, cores: 2 } as const;
const hugepages = { guest: '64Mi', hugepages: { pageSize: '2Mi' } } as const;

describe('the rules about processors', () => {
  it.each([
    {
      rule: 'a request is not negative',
      bad: domain({ resources: { requests: { cpu: '-200m' } } }),
      causes: [invalid(REQUEST, `${REQUEST} '-200m': must be greater than or equal to 0.`)],
      good: domain({ resources: { requests: { cpu: '200m' } } }),
    },
    {
      rule: 'a limit is not negative',
      bad: domain({ resources: { limits: { cpu: '-3' } } }),
      causes: [invalid(LIMIT, `${LIMIT} '-3': must be greater than or equal to 0.`)],
      good: domain({ resources: { limits: { cpu: '3' } } }),
    },
    {
      rule: 'no more is requested than allowed',
      bad: domain({ resources: { requests: { cpu: '2500m' }, limits: { cpu: '500m' } } }),
      causes: [invalid(REQUEST, `${REQUEST} '2500m' is greater than ${LIMIT} '500m'`)],
      good: domain({ resources: { requests: { cpu: '500m' }, limits: { cpu: '0.5' } } }),
    },
    {
      rule: 'a guest begins with no more sockets than it may have',
      bad: domain({ cpu: { sockets: 3, maxSockets: 2 } }),
      causes: [
        invalid(`${CPU}.sockets`, 'Number of sockets in CPU topology is greater than the maximum sockets allowed'),
      ],
      good: domain({ cpu: { sockets: 2, maxSockets: 2 } }),
    },
    {
      rule: 'a feature is wanted in a known way',
      bad: domain({ cpu: { features: [{ name: 'lahf_lm' }, { name: 'vmx', policy: 'please' }] } }),
      causes: [notSupported(`${CPU}.features[1].policy`, 'CPU feature vmx uses policy please that is not supported.')],
      good: domain({ cpu: { features: [{ name: 'vmx', policy: 'forbid' }] } }),
    },
    {
      rule: 'the emulator is set apart only with dedicated processors',
      bad: domain({ cpu: { isolateEmulatorThread: true } }),
      causes: [
        invalid(
          `${CPU}.isolateEmulatorThread`,
          'IsolateEmulatorThread should be only set in combination with DedicatedCPUPlacement',
        ),
      ],
      good: domain({ cpu: { ...dedicated, isolateEmulatorThread: true } }),
    },
    {
      rule: 'cells of the host need dedicated processors and huge pages',
      bad: domain({ cpu: { numa: { guestMappingPassthrough: {} } } }),
      causes: [
        invalid(NUMA, `${PLACEMENT} must be set to true when NUMA topology strategy is set in ${NUMA}`),
        invalid(NUMA, `spec.domain.memory.hugepages must be requested when NUMA topology strategy is set in ${NUMA}`),
      ],
      good: domain({ cpu: { ...dedicated, numa: { guestMappingPassthrough: {} } }, memory: hugepages }),
    },
    {
      rule: 'real time needs dedicated processors and cells of the host',
      bad: domain({ cpu: { realtime: {} } }),
      causes: [
        required(PLACEMENT, `${PLACEMENT} must be set to true when ${CPU}.realtime is used`),
        required(NUMA, `${NUMA} must be defined when ${CPU}.realtime is used`),
      ],
      good: domain({ cpu: { ...dedicated, realtime: {}, numa: { guestMappingPassthrough: {} } }, memory: hugepages }),
    },
  ])('$rule', ({ bad, causes, good }) => {
    expect(judge(bad)).toEqual(causes);
    expect(judge(good)).toEqual([]);
  });
});
