import { describe, expect, it } from 'vitest';

import { vmsFigures } from './figures.ts';
import type { VmsResults } from './vms-result.ts';
import type { WrittenRequest } from './swarm/written-requests.ts';

const MEBIBYTE = 1024 ** 2;

describe('vmsFigures', () => {
  it('has all of them after a full run, of the medians', () => {
    expect(vmsFigures(results(50, 1_000))).toEqual({
      create50_over_virsh: 0.5,
      create50_over_parallel_virsh: 2,
      running_p50_ms_1000: 30,
      running_p95_ms_1000: 40,
      running_p99_ms_1000: 40,
      vmis_per_s: 100,
      writes_per_vmi: 0.003,
      events_per_vmi: 0.001,
      overhead_mib_per_vm: 11.5,
      migrate_over_virsh: 1.1,
    });
  });

  it('has none of 50 machines and of 1,000 instances where there were fewer', () => {
    expect(vmsFigures(results(10, 100))).toMatchObject({
      create50_over_virsh: null,
      create50_over_parallel_virsh: null,
      running_p95_ms_1000: null,
      writes_per_vmi: 0.03,
      overhead_mib_per_vm: 11.5,
    });
  });
});

function results(machines: number, instances: number): VmsResults {
  const rounds = [10, 20, 90].map((oursMs) => ({ oursMs, serialMs: 2 * oursMs, parallelMs: oursMs / 2 }));
  const growth = { 'API server': 2 * MEBIBYTE, libvirtd: MEBIBYTE / 2, scheduler: -MEBIBYTE };
  return {
    create: { machines, parallel: 4, rounds, memory: { launcher: 10 * MEBIBYTE, monitor: 30 * MEBIBYTE, growth } },
    swarm: {
      nodes: 50,
      instances,
      times: [10, 20, 30, 40],
      tookMs: instances * 10,
      cpu: {},
      memory: {},
      requests: [
        written('create', 'virtualmachineinstances', 'admin'),
        written('create', 'pods'),
        written('create', 'pods/binding'),
        { ...written('patch', 'virtualmachineinstances'), code: 422 },
        written('create', 'events'),
        written('update', 'leases'),
        written('patch', 'nodes'),
      ],
    },
    migration: {
      memoryMiB: 256,
      rounds: [1, 2, 3].map((second) => ({ oursMs: second * 1_100, virshMs: second * 1_000 })),
    },
  };
}

function written(verb: string, resource: string, user = 'smalt-virt-controller'): WrittenRequest {
  return { verb, resource, user, code: 200 };
}
