import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { SmaltProgram } from '@smalt/bed-kubernetes';
import { makeAuthority, PASSWORD, startRedfish, system, USER, type BedRedfish } from '@smalt/bed-redfish';
import { isJsonArray, isJsonObject } from '@smalt/json';
import type { KindReference } from '@smalt/kubernetes';

import { BenchmarkError } from '../src/benchmark-error.ts';
import { hostNames } from './bench-agent.ts';
import { makeHosts } from './fleet-hosts.ts';
import type { RescuePlan } from './ha-plan.ts';
import type { RescueResult } from './ha-result.ts';
import { startHaWorld, type HaWorld } from './ha-world.ts';
import { RescueAgent } from './rescue-agents.ts';

const SPARE_HOSTS = 3;
const SERVERS_PER_HOST = 5;
const DEAD_AFTER_MS = 8_000;
const AGREE_MS = 2_000;
const LOOK_MS = 500;
const SETTLE_MS = 15_000;
const MOST_SECONDS = 60;

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

export interface RescueOptions {
  readonly program: SmaltProgram;
  readonly plan: RescuePlan;
}

/** Measures how soon the first instance of a dead host runs elsewhere, from the moment at which the host may be condemned. */
export async function measureRescue({ program, plan }: RescueOptions, signal: AbortSignal): Promise<RescueResult> {
  await using owner = new AsyncDisposableStack();
  const hosts = hostNames(plan.rounds + SPARE_HOSTS);
  const { path: folder } = owner.use(await mkdtempDisposable(join(tmpdir(), 'smalt-rescue-')));
  const controllers = await startControllers(owner, hosts, plan);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, PASSWORD);
  const settings = (): Readonly<Record<string, unknown>> => rescueSettings(controllers, passwordFile);
  const prepare: Parameters<typeof startHaWorld>[0]['prepare'] = async (client, cloud) => {
    await makeHosts(client, cloud, hosts);
    await cloud.tell('PUT', '/behaviour', { evacuationMs: plan.evacuationMs });
    const servers = hosts.flatMap((host) => Array.from({ length: SERVERS_PER_HOST }, () => ({ host })));
    await cloud.tell('POST', '/servers', servers);
    await client.resource(namespaceKind).apply('kube-node-lease', {}, { force: true });
  };
  const world = owner.use(await startHaWorld({ program, hosts, prepare, settings }, signal));
  const agents = new Map<string, RescueAgent>();
  for (const host of hosts) agents.set(host, owner.use(await RescueAgent.start(world.voiceOf(host))));
  await delay(SETTLE_MS, undefined, { signal });
  const seconds: number[] = [];
  for (const host of hosts.slice(0, plan.rounds)) seconds.push(await rescue(world, host, agents.get(host), signal));
  return { seconds, powerOffMs: plan.powerOffMs, evacuationMs: plan.evacuationMs };
}

async function rescue(
  { cloud }: HaWorld,
  host: string,
  agent: RescueAgent | undefined,
  signal: AbortSignal,
): Promise<number> {
  const diedAt = (await agent?.die()) ?? 0;
  await cloud.tell('PUT', '/hosts', { name: host, isUp: false });
  const threshold = diedAt + DEAD_AFTER_MS + AGREE_MS;
  while (performance.now() < threshold + MOST_SECONDS * 1_000) {
    const moves = await cloud.tell('GET', '/moves');
    const isDone = (isJsonArray(moves) ? moves : []).some(
      (move) => isJsonObject(move) && move['source'] === host && move['status'] === 'done',
    );
    if (isDone) return Math.max(0, performance.now() - threshold) / 1_000;
    await delay(10, undefined, { signal });
  }
  throw new BenchmarkError('peer-failed', `nothing of ${host} was rebuilt within ${MOST_SECONDS} s`);
}

interface Controllers {
  readonly authorityFile: string;
  readonly byHost: ReadonlyMap<string, BedRedfish>;
}

/** A management controller for each host, which cuts the power after a while. */
async function startControllers(
  owner: AsyncDisposableStack,
  hosts: readonly string[],
  { powerOffMs }: RescuePlan,
): Promise<Controllers> {
  const authority = owner.use(await makeAuthority());
  const byHost = new Map<string, BedRedfish>();
  for (const host of hosts) {
    let isOn = true;
    const powerSwitch = {
      isOn: () => isOn,
      powerOn: () => Promise.resolve(),
      powerOff: async () => {
        await delay(powerOffMs);
        isOn = false;
      },
    };
    const systems = [{ ...system(`/redfish/v1/Systems/${host}`), powerSwitch }];
    byHost.set(host, owner.use(await startRedfish({ authority, systems })));
  }
  return { authorityFile: authority.authorityFile, byHost };
}

/** As by default, but a host is missed sooner, and the service warms up in a moment. */
function rescueSettings(
  { authorityFile, byHost }: Controllers,
  passwordFile: string,
): Readonly<Record<string, unknown>> {
  const silence = { freshMs: 4_000, deadAfterMs: DEAD_AFTER_MS };
  const perHost = Object.fromEntries(Array.from(byHost, ([host, { url }]) => [host, { url }]));
  const level = { name: 'bmc', driver: 'redfish', url: 'https://{host}.bmc.invalid', user: USER, passwordFile };
  return {
    fencing: { levels: [{ ...level, authorityFile, perHost }] },
    detection: {
      judgement: {
        agreeMs: AGREE_MS,
        rules: {
          agent: silence,
          'node-lease': silence,
          // It comes by the agent, and would go on to speak for the host.
          libvirt: { freshMs: 4_000, deadAfterMs: 4_000 },
          'compute-service': { freshMs: 4_000, deadAfterMs: 4_000 },
        },
      },
      brakes: { warmUpMs: 10_000, sightMs: 1_000, intervalMs: 0, maximumOpen: 8 },
    },
    pace: { lookIntervalMs: LOOK_MS, refreshIntervalMs: 2_000, serviceDownMs: 3_000 },
  };
}
