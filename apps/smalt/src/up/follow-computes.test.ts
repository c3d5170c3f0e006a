import { once } from 'node:events';

import type { ComputeHost } from '@smalt/local-openstack';
import { describe, expect, it } from 'vitest';

import { ComputeFollower, planCompute, type FollowedHost, type Served } from './follow-computes.ts';

describe('planCompute', () => {
  it.each<{ what: string; served: Served; boot: string | undefined; plan: readonly [boolean, boolean] }>([
    { what: 'nothing where all is as it was', served: { boot: 'one' }, boot: 'one', plan: [false, false] },
    { what: 'a start for a host that has booted', served: 'none', boot: 'one', plan: [false, true] },
    { what: 'an end for a host that is lost', served: { boot: 'one' }, boot: undefined, plan: [true, false] },
    { what: 'both for another boot', served: { boot: 'one' }, boot: 'two', plan: [true, true] },
    { what: 'both where the answer to a start is lost', served: 'unsure', boot: 'one', plan: [true, true] },
    { what: 'an end where the host is lost as well', served: 'unsure', boot: undefined, plan: [true, false] },
    { what: 'nothing for a host that stays off', served: 'none', boot: undefined, plan: [false, false] },
  ])('has $what', ({ served, boot, plan: [isCut, isStarted] }) => {
    expect(planCompute(served, boot)).toEqual({ isCut, isStarted });
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

  it('cuts a compute that may run although its start failed, before it starts it again', async () => {
    const done: string[] = [];
    const orders = {
      startCompute: async ({ name, others }: ComputeHost): Promise<void> => {
        done.push(`start ${name}, not what runs on ${others?.join()}`);
        if (done.length === 1) throw new Error('the database is busy');
      },
      cutCompute: async (name: string): Promise<void> => void done.push(`cut ${name}`),
    };
    const hosts = [host('hv1', 'a'), host('hv2', undefined)];

    await new ComputeFollower(orders, hosts, () => undefined).begin(AbortSignal.timeout(20_000));

    const start = 'start hv1, not what runs on qemu+unix:///hv2';
    expect(done).toEqual([start, 'cut hv1', start]);
  });

  it('cuts a host that is lost while the start of another takes its time', async () => {
    const over = new AbortController();
    const cut = Promise.withResolvers<string>();
    const boots: Record<string, string | undefined> = { hv1: undefined, hv2: 'b' };
    const orders = {
      startCompute: async ({ name }: ComputeHost, signal: AbortSignal): Promise<void> => {
        if (name === 'hv2') return;
        boots['hv2'] = undefined;
        await once(signal, 'abort');
      },
      cutCompute: async (name: string): Promise<void> => cut.resolve(name),
    };
    const hosts = ['hv1', 'hv2'].map((name) => ({ ...host(name, ''), reachableBoot: async () => boots[name] }));
    const follower = new ComputeFollower(orders, hosts, () => undefined);
    await follower.begin(AbortSignal.timeout(20_000));
    boots['hv1'] = 'a';

    const following = follower.follow(over.signal);

    expect(await cut.promise).toBe('hv2');
    over.abort();
    await following;
  });

  it('names the host that could not be begun with, and why', async () => {
    const enough = new AbortController();
    const orders = {
      startCompute: async (): Promise<void> => {
        throw new Error('libvirt is busy');
      },
      cutCompute: async (): Promise<void> => undefined,
    };

    const begun = new ComputeFollower(orders, [host('hv1', 'a')], () => enough.abort()).begin(enough.signal);

    await expect(begun).rejects.toThrow('Nova has no compute service of hv1 (libvirt is busy)');
  });
});

function host(name: string, boot: string | undefined): FollowedHost {
  return {
    name,
    address: '198.18.0.1',
    uri: `qemu+unix:///${name}`,
    reachableBoot: async () => boot,
    isServing: async () => true,
  };
}
