import { leaseKind } from '@smalt/controller-runtime';
import type { Judgement } from '@smalt/failure-detection';
import type { KindReference } from '@smalt/kubernetes';
import { WellKnownName } from '@smalt/vm-api';
import { createVmCompute, defaultVmComputeSettings } from '@smalt/vm-compute';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { EnginePorts } from '../ports/engine-ports.ts';
import { engineSettings, startEngineBed, type EngineBed } from './fixtures/engine-bed.ts';

const HOSTS = ['lives', 'dead', 'sound1', 'sound2'];
const NODE_LEASES = 'kube-node-lease';
const SOON = { timeout: 30_000, interval: 50 };
const LONG_MS = 600_000;

const nodeKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

let bed: EngineBed;
let beats = 0;

beforeAll(async () => {
  bed = await startEngineBed(HOSTS);
  await bed.client
    .resource({ ...nodeKind, kind: 'Namespace', plural: 'namespaces' })
    .create({ metadata: { name: NODE_LEASES } })
    .catch(() => undefined);
  for (const host of HOSTS) {
    await bed.client.resource(nodeKind).create({ metadata: { name: host } });
    await beat(host);
    await renew(host);
  }
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('a service that was restarted while the agent and the lease of a host are silent', () => {
  it('never opens an incident of one whose handler goes on to beat, whenever it beats', async () => {
    bed.cloud.addServer('lives', { name: 'web' });
    await using run = restart(LONG_MS, 'lives');
    await run.silence();

    await expect.poll(() => refusalsOf('lives'), SOON).toEqual([expect.stringContaining('(blind)')]);
    const blind = run.judgement();
    await beat('lives');
    await expect.poll(() => run.judgement()?.kind, SOON).toBe('alive');

    expect(blind).toMatchObject({ kind: 'condemned', by: ['agent', 'node-lease'], isUnwatched: true });
    expect(await refusalsOf('lives')).toEqual([expect.stringContaining('has not watched lives for long enough')]);
    expect(await incidentsOf('lives')).toEqual([]);
    expect(bed.power.orders).not.toContain('lives');
    bed.revive('lives');
  }, 60_000);

  it('recovers one whose handler is silent, as soon as it has been so for as long as a heartbeat counts', async () => {
    bed.cloud.addServer('dead', { name: 'web' });
    await using run = restart(5_000, 'dead');
    await run.silence();

    await expect.poll(() => refusalsOf('dead'), SOON).toEqual([expect.stringContaining('(blind)')]);
    const early = await incidentsOf('dead');
    await expect.poll(() => incidentsOf('dead'), SOON).toMatchObject([{ state: 'recovered' }]);

    expect(early).toEqual([]);
    expect(bed.power.orders).toContain('dead');
  }, 60_000);
});

/** Leads as a process does that has only just begun to look at heartbeats, which count for so long, and hears of the host by others. */
function restart(heartbeatTimeoutMs: number, host: string) {
  let judgement: Judgement | undefined;
  const { judgement: rules, ...detection } = engineSettings().detection;
  const lease = { ...rules.rules['node-lease'], freshMs: 1_000, deadAfterMs: 1_200 };
  const judged = { ...rules, rules: { ...rules.rules, 'node-lease': lease } };
  const renewed = new Set(['sound1', 'sound2', host]);
  const renewal = setInterval(() => void Promise.all([...renewed].map(renew)).catch(() => undefined), 200);
  const lead = bed.lead(
    { detection: { ...detection, judgement: judged } },
    {
      compute: heardBy(heartbeatTimeoutMs),
      observe: ({ judgements }) => {
        judgement = judgements.get(host);
      },
    },
  );
  return {
    judgement: () => judgement,
    async silence(): Promise<void> {
      await expect.poll(() => bed.cluster.host(host)?.leaseAliveAt, SOON).toBeGreaterThan(0);
      await expect.poll(() => judgement, SOON).toMatchObject({ kind: 'alive', by: 'agent' });
      renewed.delete(host);
      bed.die(host);
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(renewal);
      await lead[Symbol.asyncDispose]();
    },
  };
}

/** The cloud of the bed, of whose hosts is heard by the heartbeats of their Nodes. */
function heardBy(heartbeatTimeoutMs: number): EnginePorts['compute'] {
  const { hosts } = createVmCompute({
    client: bed.client,
    settings: { ...defaultVmComputeSettings, heartbeatTimeoutMs },
  });
  const { compute } = bed.ports;
  const list: typeof compute.hosts.list = async (inner) => {
    const heard = new Map((await hosts.list(inner)).map((host) => [host.name, host]));
    return (await compute.hosts.list(inner)).map((host) => {
      const { isUp = false, isUnwatched } = heard.get(host.name) ?? {};
      return { ...host, isUp, isUnwatched };
    });
  };
  return { ...compute, hosts: overlaid(compute.hosts, { list }) };
}

/** What `part` has, and for the rest `whole`, whose methods go on to be its own. */
function overlaid<T extends object>(whole: T, part: Partial<T>): T {
  const own = (_: T, key: string | symbol): unknown => {
    const value: unknown = Reflect.get(key in part ? part : whole, key);
    return typeof value === 'function' ? value.bind(whole) : value;
  };
  return new Proxy(whole, { get: own });
}

async function beat(host: string): Promise<void> {
  const time = new Date(Date.UTC(2020, 0, 1, 0, 0, (beats += 1))).toISOString();
  await bed.client
    .resource(nodeKind)
    .patch(host, 'merge', { metadata: { annotations: { [WellKnownName.heartbeatAnnotation]: time } } });
}

async function renew(host: string): Promise<void> {
  const renewTime = new Date(bed.ports.clock.now()).toISOString().replace('Z', '000Z');
  await bed.client
    .resource(leaseKind)
    .apply(host, { spec: { holderIdentity: host, renewTime } }, { namespace: NODE_LEASES, fieldManager: 'test' });
}

async function refusalsOf(host: string): Promise<readonly string[]> {
  const entries = await bed.store.journal.list(undefined, { host, limit: 200 }, signal());
  return entries.filter(({ kind }) => kind === 'refusal').map(({ message }) => message);
}

async function incidentsOf(host: string) {
  return await bed.store.incidents.list({ host, limit: 10 }, signal());
}

function signal(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
