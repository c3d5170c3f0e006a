import { basename } from 'node:path';

import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { virtualMachineInstanceMigrationKind, type VirtualMachineInstance } from '@smalt/vm-api';

import { nodeRemains } from '../../virtual-machines/node-remains.ts';
import type { VmHost } from '../../virtual-machines/vm-host.ts';
import type { VmWorld } from '../../virtual-machines/vm-world.ts';
import type { MachineLedger } from './machine-ledger.ts';

interface Pod extends KubernetesObject {
  readonly spec: { readonly nodeName?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly message?: string }[];
  };
}

const podKind: KindReference<Pod> = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', isNamespaced: true };
const PLACE = { namespace: 'default' };
const OVER = ['Succeeded', 'Failed'];

/** What is not as wanted yet, in sentences; nothing when every machine is as wanted and nothing else is left anywhere. */
export async function findDifferences(world: VmWorld, ledger: MachineLedger): Promise<readonly string[]> {
  const [machines, instances, pods, migrations] = await Promise.all([
    world.machines.list(PLACE),
    world.instances.list(PLACE),
    world.control.admin.resource(podKind).list(PLACE),
    world.control.admin.resource(virtualMachineInstanceMigrationKind).list(PLACE),
  ]);
  const kept = [...ledger.wanted('running'), ...ledger.wanted('stopped')];
  const open = migrations.items.filter(({ status }) => !OVER.includes(status?.phase ?? ''));
  const onHosts = world.hosts.map((host) => {
    const own = instances.items.filter(({ status }) => status?.nodeName === host.name);
    const ownPods = pods.items.filter(({ spec }) => spec.nodeName === host.name);
    return differencesOn(host, own, ownPods);
  });
  return [
    ...compare('machines', machines.items.map(nameOf), kept),
    ...compare('instances', instances.items.filter(isUp).map(nameOf), ledger.wanted('running')),
    ...instances.items
      .filter((each) => !isUp(each))
      .map((each) => `the instance ${nameOf(each)} is ${each.status?.phase}`),
    ...compare('pods', pods.items.map(machineOf), ledger.wanted('running')),
    ...pods.items.filter(({ status }) => status?.phase !== 'Running').map(podText),
    ...open.map((each) => `the migration ${nameOf(each)} is ${each.status?.phase}`),
    ...(await Promise.all(onHosts)).flat(),
  ];
}

/** What a host has, against what the API says that it has. */
async function differencesOn(
  host: VmHost,
  instances: readonly VirtualMachineInstance[],
  pods: readonly Pod[],
): Promise<readonly string[]> {
  const remains = await nodeRemains(host);
  const of = (kind: string): readonly string[] =>
    remains.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
  const directories = (place: string): readonly string[] =>
    of('file')
      .filter((path) => path.includes(place))
      .map((path) => basename(path));
  const processes = (words: string): number => of('process').filter((line) => line.includes(words)).length;
  const podUids = pods.map(({ metadata }) => metadata.uid ?? '');
  const differences = [
    ...compare(
      'domains',
      of('domain'),
      instances.map((each) => `default_${nameOf(each)}`),
    ),
    ...compare('guests', [String(processes('qemu-system'))], [String(instances.length)]),
    ...compare('launchers', [String(processes('virt-launcher'))], [String(pods.length)]),
    ...compare('devices', [String(of('device').length)], [String(instances.length)]),
    ...compare('cgroups', [...new Set(of('cgroup').map((path) => basename(path)))], podUids),
    ...compare('directories of pods', directories('/pods/'), podUids),
    ...compare(
      'directories of instances',
      directories('/instances/'),
      instances.map(({ metadata }) => metadata.uid ?? ''),
    ),
  ];
  return differences.map((text) => `${host.name}: ${text}`);
}

function podText({ metadata, spec, status }: Pod): string {
  const scheduled = status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message ?? '';
  const going = metadata.deletionTimestamp === undefined ? '' : ', going';
  return `the pod ${metadata.name} is ${status?.phase} on ${spec.nodeName ?? 'no node'}${going}: ${scheduled}`;
}

function compare(what: string, found: readonly string[], wanted: readonly string[]): readonly string[] {
  const [left, right] = [found.toSorted().join(' '), wanted.toSorted().join(' ')];
  return left === right ? [] : [`${what} are "${left}", not "${right}"`];
}

function isUp({ metadata, status }: VirtualMachineInstance): boolean {
  return status?.phase === 'Running' && metadata.deletionTimestamp === undefined;
}

function machineOf({ metadata }: Pod): string {
  return metadata.labels?.['vm.kubevirt.io/name'] ?? metadata.name;
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name;
}
