import { describe, expect, it } from 'vitest';

import { domain } from '../../fixtures/small-instance.ts';
import { memoryGrowthProblem } from './memory-growth-problem.ts';

describe('memoryGrowthProblem', () => {
  it.each([
    { parts: { cpu: { realtime: {} } }, problem: 'Memory hotplug is not compatible with realtime VMs' },
    {
      parts: { cpu: { numa: { guestMappingPassthrough: {} } } },
      problem: 'Memory hotplug is not compatible with guest mapping passthrough',
    },
    { parts: { launchSecurity: { sev: {} } }, problem: 'Memory hotplug is not compatible with encrypted VMs' },
    { parts: { memory: {} }, problem: 'Guest memory must be configured when memory hotplug is enabled' },
    { parts: { memory: { guest: '5Gi' } }, problem: 'Guest memory is greater than the configured maxGuest memory' },
    { parts: { memory: { guest: '1025Mi' } }, problem: 'Guest memory must be 2Mi aligned' },
    {
      parts: { memory: { guest: '1026Mi', hugepages: { pageSize: '1Gi' } } },
      problem: 'Guest memory must be 1Gi aligned',
    },
    {
      parts: { memory: { guest: '512Mi' } },
      problem: 'Memory hotplug is only available for VMs with at least 1Gi of guest memory',
    },
    { parts: { memory: { guest: '1Gi' } }, problem: undefined },
  ])('says $problem', ({ parts, problem }) => {
    expect(memoryGrowthProblem(domain({ memory: { guest: '1Gi' }, ...parts }), '4Gi')).toBe(problem);
  });

  it('looks at the most that the guest can grow to as well', () => {
    const good = domain({ memory: { guest: '1Gi' } });

    expect(memoryGrowthProblem(good, undefined)).toBe(
      'Max guest memory must be configured when memory hotplug is enabled',
    );
    expect(memoryGrowthProblem(good, '4095Mi')).toBe('MaxGuest must be 2Mi aligned');
    expect(memoryGrowthProblem({ ...good, architecture: 's390x' }, '4Gi')).toBe(
      'Memory hotplug is only available for x86_64 VMs',
    );
  });
});
