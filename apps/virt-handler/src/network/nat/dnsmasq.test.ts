import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from '@smalt/controller-runtime';
import { isProcessRunning, openCgroups } from '@smalt/pod-sandbox';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startNetworkBed, type NetworkBed } from '../fixtures/network-bed.ts';
import { createHostCommands, type HostCommands } from '../host-commands.ts';
import { Dnsmasq } from './dnsmasq.ts';
import { parseIpv4Range } from './ipv4-range.ts';

const SHELL = { name: 'sh', debianPackage: 'dash' } as const;
const ENTER = 'while [ "$1" != -- ]; do echo 0 > "$1"; shift; done; shift; exec "$@"';
const signal = AbortSignal.timeout(120_000);
const guest = { mac: '02:00:00:00:00:01', address: '10.222.0.9', name: 'web' };
let bed: NetworkBed;
let pod: Pod;

beforeAll(async () => {
  bed = await startNetworkBed();
  for (const words of ['add smalt0 type bridge', 'set smalt0 up']) await bed.run('ip', 'link', ...words.split(' '));
  await bed.run('ip', 'address', 'add', '10.222.0.1/18', 'dev', 'smalt0');
  pod = await makePod();
});

afterAll(async () => {
  await dnsmasqOf(createHostCommands(bed.networkNamespace)).stop(AbortSignal.timeout(10_000));
  await pod[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
});

it('outlives the pod of the handler that started it, answers, and is the one that the next handler finds', async () => {
  const started = await dnsmasqOf(commandsIn(pod)).give('web', guest, signal);
  const left = await pod.processes();
  await pod.end();

  const card = await bed.plugIn('smalt0', guest.mac);
  const answer = await card.askAddress();
  const found = await dnsmasqOf(createHostCommands(bed.networkNamespace)).ensure(signal);

  expect(left).toEqual([]);
  expect(answer.address).toBe(guest.address);
  expect(found).toEqual(started);
});

it('is taken out of the pod of a handler that left it there', async () => {
  const dnsmasq = dnsmasqOf(createHostCommands(bed.networkNamespace));
  const started = await dnsmasq.ensure(signal);
  await pod.hold(started.processId);
  const before = await pod.processes();

  const found = await dnsmasq.ensure(signal);
  await pod.end();

  expect(before).toEqual([started.processId]);
  expect(found).toEqual(started);
  expect(await isProcessRunning(started)).toBe(true);
});

it('is replaced by a handler whose program is another one', async () => {
  const started = await dnsmasqOf(createHostCommands(bed.networkNamespace)).ensure(signal);
  const configFile = join(bed.stateDirectory, 'dnsmasq.conf');
  const config = await readFile(configFile, 'utf8');
  await writeFile(configFile, config.replace(/^# [0-9a-f]{64}$/m, `# ${'0'.repeat(64)}`));

  const found = await dnsmasqOf(createHostCommands(bed.networkNamespace)).ensure(signal);

  expect(found.processId).not.toBe(started.processId);
  expect(await isProcessRunning(started)).toBe(false);
  expect(await readFile(configFile, 'utf8')).toBe(config);
});

function dnsmasqOf(commands: HostCommands): Dnsmasq {
  return new Dnsmasq({
    bridge: 'smalt0',
    range: parseIpv4Range('10.222.0.0/18', 'range'),
    nameServers: [],
    directory: bed.stateDirectory,
    clock: systemClock,
    logger: createLogger({ name: 'test', destination: { write: () => undefined } }),
    commands,
  });
}

/** What a handler in a pod starts is in the cgroup of the pod. */
function commandsIn({ entrances }: Pod): HostCommands {
  const commands = createHostCommands(bed.networkNamespace);
  return {
    ...commands,
    wrap: (program, parameters) => {
      const [{ name }, words] = commands.wrap(program, parameters);
      return [SHELL, ['-c', ENTER, 'sh', ...entrances, '--', name, ...words]];
    },
  };
}

type Pod = Awaited<ReturnType<typeof makePod>>;

/** The cgroup of a container, as a kubelet that stays below a root of its own has it made. */
async function makePod() {
  const root = `/smalt-dnsmasq-${process.pid}`;
  const path = `${root}/kubepods/podab/cd`;
  const cgroups = await openCgroups();
  await cgroups.make({ path, leaves: [], limits: {} });
  return {
    entrances: cgroups.entrances(path),
    hold: (processId: number) => cgroups.moveInto(path, processId),
    processes: () => cgroups.processIds(path),
    /** What a container runtime does. */
    end: () => cgroups.kill(path, AbortSignal.timeout(10_000)),
    [Symbol.asyncDispose]: () => cgroups.remove(root),
  };
}
