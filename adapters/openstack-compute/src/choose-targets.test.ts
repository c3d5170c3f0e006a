import type { ComputeAggregate, ComputeInstance } from '@smalt/compute';
import type { ComputeService } from '@smalt/openstack';
import { describe, expect, it } from 'vitest';

import { chooseTargets, type TargetCandidate } from './choose-targets.ts';
import type { InstanceDemand } from './instance-demand.ts';

describe('chooseTargets', () => {
  it.each<readonly [string, boolean, Partial<ComputeService>]>([
    ['a host that is well', true, {}],
    ['the host it is on', false, { host: 'node1' }],
    ['a host that is disabled', false, { status: 'disabled' }],
    ['a host that is down', false, { state: 'down' }],
    ['a host of which nothing is heard', false, { state: undefined }],
    ['a host that was declared dead', false, { isForcedDown: true }],
    ['a host of another zone', false, { zone: 'az2' }],
  ])('%s is a target: %s', (_what, isTarget, service) => {
    const targets = chooseTargets(instance({}), demand({}), [candidate({ service })]);

    expect(targets).toHaveLength(isTarget ? 1 : 0);
  });

  it.each<readonly [string, boolean, readonly Record<string, string>[], Partial<InstanceDemand>]>([
    ['any project', true, [{ availability_zone: 'az1' }], {}],
    ['its project', true, [{ filter_tenant_id: 'p0, p1' }], {}],
    ['its project among several', true, [{ filter_tenant_id: 'p0', filter_tenant_id2: 'p1' }], {}],
    ['other projects', false, [{ filter_tenant_id: 'p2' }], {}],
    ['other projects, if its own is not known', true, [{ filter_tenant_id: 'p2' }], { projectId: undefined }],
    ['what its flavor asks for', true, [{ a: 'b' }, { disk: 'ssd' }], { aggregateSpecs: { disk: 'ssd' } }],
    ['one of several', true, [{ disk: 'hdd, ssd' }], { aggregateSpecs: { disk: 'ssd' } }],
    ['less than its flavor asks for', false, [{ disk: 'hdd' }], { aggregateSpecs: { disk: 'ssd' } }],
    ['nothing', false, [], { aggregateSpecs: { disk: 'ssd' } }],
    ['something to compare', true, [], { aggregateSpecs: { disk: '>= 4' } }],
  ])('a host whose aggregates are for %s is a target: %s', (_what, isTarget, metadata, wanted) => {
    const aggregates = metadata.map((each, index) => aggregate(index, each));

    expect(chooseTargets(instance({}), demand(wanted), [candidate({ aggregates })])).toHaveLength(isTarget ? 1 : 0);
  });

  it('does not ask for a zone that is not known', () => {
    const candidates = [candidate({ service: { zone: 'az2' } })];

    expect(chooseTargets(instance({ zone: undefined }), demand({}), candidates)).toHaveLength(1);
    expect(chooseTargets(instance({ zone: '' }), demand({}), candidates)).toHaveLength(1);
  });

  it('knows the source by the name of its hypervisor too', () => {
    const moved = instance({ hostName: undefined, hypervisorHostname: 'node2.example.org' });

    expect(chooseTargets(moved, demand({}), [candidate({})])).toEqual([]);
  });

  it('tells what a host has left', () => {
    expect(chooseTargets(instance({}), demand({}), [candidate({})])).toEqual([
      { hypervisorId: 'h2', name: 'node2.example.org', free: { VCPU: 60, PCPU: 8, MEMORY_MB: 0 } },
    ]);
  });
});

function candidate(fields: {
  readonly service?: Partial<ComputeService>;
  readonly aggregates?: readonly ComputeAggregate[];
}): TargetCandidate {
  const service: ComputeService = {
    id: 'service2',
    binary: 'nova-compute',
    host: 'node2',
    zone: 'az1',
    status: 'enabled',
    state: 'up',
    disabledReason: undefined,
    isForcedDown: false,
    updatedAt: undefined,
    ...fields.service,
  };
  const resources = {
    VCPU: { capacity: 64, used: 4 },
    PCPU: { capacity: 8, used: 0 },
    MEMORY_MB: { capacity: 10, used: 12 },
  };
  return {
    candidate: { providerId: 'h2', traits: [], resources },
    host: { hypervisor: { id: 'h2', hostname: 'node2.example.org' }, service },
    aggregates: fields.aggregates ?? [],
  };
}

function aggregate(index: number, metadata: Record<string, string>): ComputeAggregate {
  return { id: String(index), uuid: `u${index}`, name: `a${index}`, metadata };
}

function demand(fields: Partial<InstanceDemand>): InstanceDemand {
  return {
    requiredTraits: [],
    forbiddenTraits: [],
    aggregateSpecs: {},
    projectId: 'p1',
    ...fields,
  };
}

function instance(fields: Partial<ComputeInstance>): ComputeInstance {
  return {
    id: 's1',
    name: 'one',
    state: 'running',
    stateText: 'ACTIVE',
    guestState: 'running',
    isMeantToRun: true,
    hostName: 'node1',
    hypervisorHostname: 'node1.example.org',
    memoryMiB: 512,
    resources: { VCPU: 1, MEMORY_MB: 512, DISK_GB: 1 },
    requiredTraits: [],
    zone: 'az1',
    obstacles: [],
    isLocked: false,
    metadata: {},
    flavorProperties: {},
    fault: undefined,
    ...fields,
  };
}
