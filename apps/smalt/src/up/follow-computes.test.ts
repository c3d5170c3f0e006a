import { describe, expect, it } from 'vitest';

import { ComputeFollower, planComputes, type FollowedHost } from './follow-computes.ts';

describe('planComputes', () => {
  it.each([
    { what: 'nothing where all is as it was', served: 'one', seen: 'one', plan: { cut: [], start: [] } },
    { what: 'a start for a host that has booted', served: undefined, seen: 'one', plan: { cut: [], start: ['hv1'] } },
    { what: 'an end for a host that is lost', served: 'one', seen: undefined, plan: { cut: ['hv1'], start: [] } },
    { what: 'both for another boot', served: 'one', seen: 'two', plan: { cut: ['hv1'], start: ['hv1'] } },
    { what: 'nothing for a host that stays off', served: undefined, seen: undefined, plan: { cut: [], start: [] } },
  ])('has $what', ({ served, seen, plan }) => {
    expect(planComputes(new Map([['hv1', served]]), new Map([['hv1', seen]]))).toEqual(plan);
  });
});

describe('ComputeFollower', () => {
  it('begins with the hosts that are there, and tries again what fails, which it tells once', async () => {
    const told: string[] = [];
    const started: string[] = [];
    let failures = 2;
    const orders = {
      startCompute: async ({ name }: { readonly name: string }): Promise<void> => {
        if (name === 'hv2' && failures-- > 0) throw new Error('libvirt is busy');
        started.push(name);
      },
      cutCompute: async (): Promise<void> => undefined,
    };
    const hosts = [host('hv1', 'a'), host('hv2', 'b'), host('hv3', undefined)];

    const names = await new ComputeFollower(orders, hosts, (line) => told.push(line)).begin(
      AbortSignal.timeout(20_000),
    );

    expect(names).toEqual(['hv1', 'hv2']);
    expect(started).toEqual(['hv1', 'hv2']);
    expect(told).toEqual(["Nova's compute service of hv2 is tried again: libvirt is busy"]);
  });
});

function host(name: string, boot: string | undefined): FollowedHost {
  return {
    name,
    address: '198.18.0.1',
    uri: 'qemu+unix:///system',
    reachableBoot: async () => boot,
    isServing: async () => true,
  };
}
