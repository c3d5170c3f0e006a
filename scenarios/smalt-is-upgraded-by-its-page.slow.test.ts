import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { FirstMachine } from './installation/first-machine.ts';
import {
  CLAIM,
  IMAGES,
  missingForInstallation,
  startInstallationWorld,
  type InstallationWorld,
} from './installation/installation-world.ts';
import { makeNextImage } from './installation/next-image.ts';
import { podsOf, type RunningPod } from './installation/pods-of.ts';
import { untilReady } from './installation/until-ready.ts';
import { watchWrites } from './installation/watch-writes.ts';

const missing = missingForInstallation();
const needs = missing === undefined ? '' : ` (skipped: ${missing})`;
const MINUTE_MS = 60_000;
const HYPERVISOR = ['node-role.kubernetes.io/hypervisor=', 'nova.openstack.cloud.sap/virt-driver=kvm'];
/** What an upgrade replaces by itself: all but the managed libvirtd, and Jobs, which come and go. */
const REPLACED = 'app.kubernetes.io/part-of=smalt,app.kubernetes.io/name notin (smalt-libvirt,smalt-certificates)';
const LIBVIRTD = 'app.kubernetes.io/name=smalt-libvirt';
const PARTS = [
  'smalt-console',
  'smalt-ha-service',
  'smalt-hypervisor-operator',
  'smalt-node-agent',
  'virt-api',
  'virt-controller',
  'virt-handler',
];
let world: InstallationWorld;
let machine: FirstMachine;
/** What ran first. */
let first: Scene;
/** How far the guest was when somebody last looked. */
let count = 0;

beforeAll(async () => {
  if (missing !== undefined) return;
  world = await startInstallationWorld('to the next version', AbortSignal.timeout(10 * MINUTE_MS));
  machine = new FirstMachine(world);
}, 11 * MINUTE_MS);

afterAll(async () => await world?.[Symbol.asyncDispose](), 2 * MINUTE_MS);

// One cluster, one machine, in this order.
describe.skipIf(missing !== undefined)(`Smalt, with a machine that runs,${needs}`, { timeout: 15 * MINUTE_MS }, () => {
  it('is there, and images of another version come to its nodes', async () => {
    await world.kubectl(['label', 'node', 'node2', ...HYPERVISOR]);
    await world.reader.follow('install.md', 'helm install smalt');
    await world.kubectl(['apply', '-f', '-'], CLAIM);
    await untilReady(world);
    await machine.start();
    await using directory = await mkdtempDisposable(join(tmpdir(), 'next-'));
    for (const image of IMAGES) await world.cluster.importImage(await makeNextImage(image, 'next', directory.path));

    first = await look();

    await expectToCountOn();
    expect(partsOf(first.replaced)).toEqual(PARTS);
    expect(first.addressServer).toMatch(/^\d+$/);
  });

  it('is upgraded: all that serves is new, and no write of a machine is refused meanwhile', async () => {
    await using writes = watchWrites(world.admin);

    await world.reader.follow('upgrade.md', 'kubectl diff');
    const told = await world.reader.follow('upgrade.md', 'helm upgrade smalt', { names: { $tag: 'next' } });
    await untilGone(first.replaced);

    const after = await look();
    expect(await writes.refused()).toEqual([]);
    expect(told).toContain('"virt-handler" successfully rolled out');
    expect(partsOf(after.replaced)).toEqual(PARTS);
    expectOther(after, first);
    expect(tagsOf(after.replaced)).toEqual(['next']);
  });

  it('has left the machine alone, with its launcher and its libvirtd of before', async () => {
    const after = await look();

    expect(after.kept).toEqual(first.kept);
    expect([after.libvirtds, after.launcher]).toEqual([first.libvirtds, first.launcher]);
    expect([after.guest, after.addressServer]).toEqual([first.guest, first.addressServer]);
    await expectToCountOn();
  });

  it('has the new libvirtd node by node, when somebody deletes its pods, under the same guest', async () => {
    const nodes = world.cluster.nodes.map(({ name }) => name).toSorted();
    const old = await nodesWithOldLibvirtd();
    for (const name of nodes) await replaceLibvirtd(name);

    expect([old, await nodesWithOldLibvirtd()]).toEqual([nodes, []]);
    // Only a handler that has found the new daemon, and the guest in it, can do this.
    await expect.poll(() => machine.act('pause'), { timeout: 2 * MINUTE_MS, interval: 1_000 }).toBe('done');
    await world.untilInstance('first', (each) => isTrue(each, 'Paused'));
    await machine.act('unpause');
    await world.untilInstance('first', (each) => !isTrue(each, 'Paused'));
    const after = await look();
    expect(tagsOf(after.libvirtds)).toEqual(['next']);
    expect([after.guest, after.launcher, after.kept]).toEqual([first.guest, first.launcher, first.kept]);
    await expectToCountOn();
  });

  it('gives the machine the new launcher when it moves', async () => {
    const before = await look();

    await world.reader.follow('install.md', 'kubectl apply -f first.yaml', {
      without: ['--watch', 'smalt console', 'apply', 'delete vm'],
    });

    const after = await look();
    expect(tagsOf([after.launcher])).toEqual(['next']);
    expect(after.launcher.node).not.toBe(before.launcher.node);
    expect(after.kept).toEqual(before.kept);
    await expectToCountOn();
  });

  it('is put back: all that serves is as it was, and what looks after the machine stays', async () => {
    const before = await look();
    await using writes = watchWrites(world.admin);

    await world.reader.follow('upgrade.md', 'helm rollback smalt');
    await untilGone(before.replaced);

    const after = await look();
    expect(await writes.refused()).toEqual([]);
    expectOther(after, before);
    expect(tagsOf(after.replaced)).toEqual(tagsOf(first.replaced));
    expect(imagesOf(after.replaced)).toEqual(imagesOf(first.replaced));
    expect([after.libvirtds, after.launcher]).toEqual([before.libvirtds, before.launcher]);
    expect([after.guest, after.addressServer, after.kept]).toEqual([before.guest, before.addressServer, before.kept]);
    await expectToCountOn();
    expect(world.reader.left).toEqual([]);
  });
});

/** All that an upgrade may change, and what it may not. */
interface Scene {
  readonly replaced: readonly RunningPod[];
  readonly libvirtds: readonly RunningPod[];
  readonly launcher: RunningPod;
  /** The process of the guest. */
  readonly guest: string;
  /** The dnsmasq of its node, which a handler in a pod has started. */
  readonly addressServer: string;
  /** Who leads, or looks after a node, by the name of the Lease. */
  readonly holders: Readonly<Record<string, string>>;
  /** Who objects are, and what is in the certificates. */
  readonly kept: readonly string[];
}

async function look(): Promise<Scene> {
  return {
    replaced: await podsOf(world, REPLACED),
    libvirtds: await podsOf(world, LIBVIRTD),
    launcher: await machine.launcher(),
    guest: await machine.guestProcess(await machine.running()),
    addressServer: await machine.addressServer(await machine.running()),
    holders: await holders(),
    kept: await kept(),
  };
}

async function holders(): Promise<Readonly<Record<string, string>>> {
  const path = 'jsonpath={range .items[*]}{.metadata.name}={.spec.holderIdentity}{"\\n"}{end}';
  const lines = (await world.kubectl(['-n', 'smalt-system', 'get', 'leases', '-o', path])).trim().split('\n');
  return Object.fromEntries(lines.map((line) => line.split('=')));
}

async function kept(): Promise<readonly string[]> {
  const objects = 'jsonpath={range .items[*]}{.kind} {.metadata.name} {.metadata.uid}{"\\n"}{end}';
  const secrets = 'jsonpath={range .items[?(@.type=="kubernetes.io/tls")]}{.metadata.name} {.data}{"\\n"}{end}';
  const answers = [
    await world.kubectl(['get', 'hypervisors,vm,vmi', '-A', '-o', objects]),
    await world.kubectl(['get', 'secrets', '-A', '-o', secrets]),
  ];
  return answers.join('').trim().split('\n');
}

/** Resolves when these pods are gone, the last of which may still be ending after its successor is ready. */
async function untilGone(pods: readonly RunningPod[]): Promise<void> {
  const gone = new Set(pods.map(({ uid }) => uid));
  const left = async (): Promise<readonly string[]> =>
    (await podsOf(world, REPLACED)).filter(({ uid }) => gone.has(uid)).map(({ name }) => name);
  await expect.poll(left, { timeout: 3 * MINUTE_MS, interval: 1_000 }).toEqual([]);
}

/** Other pods with other images, which have taken all Leases over. */
function expectOther(after: Scene, before: Scene): void {
  const same = new Set([...imagesOf(before.replaced), ...Object.values(before.holders)]);
  expect(imagesOf(after.replaced).filter((id) => same.has(id))).toEqual([]);
  expect(Object.keys(after.holders)).toEqual(Object.keys(before.holders));
  expect(Object.values(after.holders).filter((holder) => same.has(holder))).toEqual([]);
}

/** Further than when this was asked before. */
async function expectToCountOn(): Promise<void> {
  await expect.poll(() => machine.counted(), { timeout: MINUTE_MS }).toBeGreaterThan(count);
  count = await machine.counted();
}

async function nodesWithOldLibvirtd(): Promise<readonly string[]> {
  const [, ...lines] = (await world.reader.follow('upgrade.md', 'controllerrevisions')).trim().split('\n');
  return lines.map((line) => line.split(' ')[0] ?? '').toSorted();
}

async function replaceLibvirtd(node: string): Promise<void> {
  const told = await world.reader.follow('upgrade.md', 'kubectl -n smalt-system delete pod', { names: { hv1: node } });
  expect(told).toContain('condition met');
}

function partsOf(pods: readonly RunningPod[]): readonly string[] {
  return unique(pods.map(({ part }) => part));
}

function tagsOf(pods: readonly RunningPod[]): readonly string[] {
  return unique(pods.flatMap(({ images }) => images.map((image) => image.replace(/^.*:/v, ''))));
}

/** What the runtime runs, whatever it is called. */
function imagesOf(pods: readonly RunningPod[]): readonly string[] {
  return unique(pods.flatMap(({ imageIds }) => imageIds));
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)].toSorted();
}

function isTrue({ status }: VirtualMachineInstance, type: string): boolean {
  return status?.conditions?.some((each) => each.type === type && each.status === 'True') === true;
}
