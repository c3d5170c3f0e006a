import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { startPostgres, type PostgresBed } from '@smalt/bed-postgres';
import { leaseKind } from '@smalt/controller-runtime';
import type { Incident } from '@smalt/failure-detection';
import { hypervisorKind } from '@smalt/fleet-api';
import { loadCloudConfig } from '@smalt/openstack';
import { defaultOpenStackComputeSettings as settings, openOpenStackCompute } from '@smalt/openstack-compute';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

import { BeatingAgents } from '../fixtures/beating-agents.ts';
import { onboardHost } from '../fixtures/onboard-host.ts';
import { startServiceBed, type ServiceBed } from '../fixtures/service-bed.ts';
import { TestAuthority } from '../fixtures/test-authority.ts';
import type { DurableHaStore } from '../store/durable-ha-store.ts';
import { openHaStore } from '../store/open-ha-store.ts';
import { systemServiceClock } from './system-service-clock.ts';

const SCRIPT = fileURLToPath(new URL('../fixtures/replica-process.ts', import.meta.url));
const HOSTS = ['first', 'second', 's1', 's2', 's3', 's4'];
const LEASE = 'lease-of-two-replicas';
const SOON = { timeout: 45_000, interval: 100 };
const owner = new AsyncDisposableStack();
const replicas = new Map<string, ChildProcess>();

let bed: ServiceBed;
let postgres: PostgresBed;
let store: DurableHaStore;
let agents: BeatingAgents;

beforeAll(async () => {
  bed = owner.use(await startServiceBed({ hosts: HOSTS, behaviour: { evacuationMs: 1_500 } }));
  postgres = owner.use(await startPostgres());
  const clock = systemServiceClock();
  const location = { kind: 'postgres', url: postgres.url } as const;
  store = owner.use(await openHaStore({ location, clock, ignore: () => undefined }, signal()));
  agents = owner.use(new BeatingAgents(HOSTS, store, clock));
  const config = await loadCloudConfig({ environment: bed.cloud.environment() });
  await using compute = openOpenStackCompute({ config, userAgent: 'test/1', settings });
  for (const host of HOSTS) await onboardHost(bed.client, host, await compute.hosts.find(host, signal()));
  await Promise.all([start('red'), start('blue')]);
}, 120_000);

afterAll(async () => {
  await Promise.all([...replicas.keys()].map(kill));
  await owner.disposeAsync();
});

describe('two replicas with PostgreSQL', () => {
  it('go on when the leader is killed in the middle of an incident, and evacuate nothing twice', async () => {
    const servers = ['a', 'b', 'c', 'd', 'e'].map((name) => bed.cloud.addServer('first', { name }));
    await expect.poll(haEnabled, SOON).toEqual(HOSTS.map(() => 'True'));
    die('first');
    await expect.poll(() => evacuationsOf(servers), SOON).toContain(1);
    const leader = await holder();

    await kill(leader);

    await expect.poll(holder, SOON).not.toBe(leader);
    await expect.poll(() => stateOf('first'), SOON).toBe('recovered');
    expect(evacuationsOf(servers)).toEqual([1, 1, 1, 1, 1]);
    expect(strays()).toEqual([]);
    await start(leader);
  }, 120_000);

  it('go on when PostgreSQL is killed in the middle of an incident, and evacuate nothing twice', async () => {
    const servers = ['f', 'g', 'h', 'i', 'j'].map((name) => bed.cloud.addServer('second', { name }));
    die('second');
    await expect.poll(() => evacuationsOf(servers), SOON).toContain(1);

    await postgres.kill();
    await postgres.restart();

    await expect.poll(() => stateOf('second'), SOON).toBe('recovered');
    expect(evacuationsOf(servers)).toEqual([1, 1, 1, 1, 1]);
    expect(strays()).toEqual([]);
  }, 120_000);
});

/** Its power is switched by a program that keeps it in a file. */
function die(host: string): void {
  agents.silence(host);
  bed.cloud.changeHost(host, { isUp: false });
}

async function start(name: string): Promise<void> {
  const configFile = join(bed.directory, `${name}.yaml`);
  await writeFile(configFile, stringify(await configuration(name)));
  const words = [SCRIPT, configFile, bed.server.kubeconfig, name, JSON.stringify(bed.cloud.environment())];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  replicas.set(name, child);
  await once(child.stdout, 'data', { signal: signal() });
}

async function kill(name: string): Promise<void> {
  const child = replicas.get(name);
  replicas.delete(name);
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function configuration(name: string): Promise<unknown> {
  const urlFile = join(bed.directory, `${name}-postgres-url`);
  const program = join(bed.directory, `${name}-switch`);
  await writeFile(urlFile, postgres.url);
  const state = join(bed.directory, 'power-$1');
  await writeFile(
    program,
    `#!/bin/sh\ncase $2 in off) : > ${state};; status) [ -e ${state} ] && echo off || echo on;; esac\n`,
  );
  await chmod(program, 0o755);
  const authority = await TestAuthority.make(bed.directory, name);
  return {
    listen: '127.0.0.1:0',
    tls: await authority.sign('replica'),
    kubernetes: { leaseName: LEASE },
    store: { kind: 'postgres', urlFile },
    fencing: { levels: [{ name: 'switch', driver: 'command', command: [program, '{host}'] }] },
    api: { asksKubernetes: true },
    ...QUICK,
  };
}

const QUICK = {
  detection: {
    judgement: {
      agreeMs: 200,
      rules: {
        agent: { freshMs: 1_000, deadAfterMs: 3_000 },
        'compute-service': { freshMs: 4_000, deadAfterMs: 500 },
      },
    },
    brakes: { warmUpMs: 500, sightMs: 200, intervalMs: 0, maximumMissing: 3, maximumMissingShare: 0.5 },
    recovery: { readIntervalMs: 100, slowReadIntervalMs: 500, readTimeoutMs: 2_000, fenceTimeoutMs: 3_000 },
  },
  pace: {
    lookIntervalMs: 200,
    refreshIntervalMs: 1_000,
    followIntervalMs: 200,
    serviceDownMs: 1_000,
    callTimeoutMs: 5_000,
  },
};

async function holder(): Promise<string> {
  return (await bed.client.resource(leaseKind).get(LEASE)).spec.holderIdentity ?? '';
}

async function haEnabled(): Promise<readonly (string | undefined)[]> {
  const { items } = await bed.client.resource(hypervisorKind).list({ signal: signal() });
  return items.map(({ status }) => status?.conditions?.find(({ type }) => type === 'HaEnabled')?.status);
}

async function stateOf(host: string): Promise<Incident['state'] | undefined> {
  // While PostgreSQL is away nothing is known.
  const found = await store.incidents.list({ host, limit: 1 }, signal()).catch(() => []);
  return found[0]?.state;
}

function evacuationsOf(servers: readonly string[]): readonly number[] {
  const moves = bed.cloud.moves();
  return servers.map((id) => moves.filter(({ serverId, type }) => serverId === id && type === 'evacuation').length);
}

/** Guests that run where Nova does not know of them; on a host that is dead nothing runs. */
function strays(): readonly string[] {
  return bed.cloud.hosts().flatMap(({ isUp, strayIds }) => (isUp ? strayIds : []));
}

function signal(): AbortSignal {
  return AbortSignal.timeout(30_000);
}
