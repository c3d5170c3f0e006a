import { isSameJson } from '@smalt/json';
import { compareQuantities, parseQuantity } from '@smalt/quantity';
import {
  VirtualMachineInstancePhase,
  type VirtualMachine,
  type VirtualMachineInstance,
  type VirtualMachineInstanceSpec,
  type VirtualMachineSpec,
} from '@smalt/vm-api';

import { isMigrating } from '../migration/is-migrating.ts';
import { bare } from './bare.ts';
import { mergeByName } from './merge-by-name.ts';
import { swappedVolumes, withoutSwapped, withReturning, type LiveSpecs } from './swapped-volumes.ts';
import { canSwapDisks, canSwapInterfaces, canSwapVolumes } from './swappable-devices.ts';

/** A field of the instance that takes the value of the virtual machine's template; undefined takes it away. */
export interface LiveChange {
  /** As in a JSON patch. */
  readonly path: string;
  readonly before: unknown;
  readonly value: unknown;
}

export type LiveUpdate =
  | { readonly kind: 'same' }
  /** Not complete when some changes can only follow once the guest has let go of volumes. */
  | { readonly kind: 'live'; readonly changes: readonly LiveChange[]; readonly isComplete: boolean }
  | { readonly kind: 'restart'; readonly message: string };

const NOT_LIVE = 'a non-live-updatable field was changed in the template spec';

export interface LiveUpdateFacts {
  readonly vm: VirtualMachine;
  readonly vmi: VirtualMachineInstance;
  readonly startedSpec: VirtualMachineSpec | undefined;
  readonly rollout: 'LiveUpdate' | 'Stage';
}

/** Whether what was changed in a template since the start can be carried into the running guest. */
export function judgeLiveUpdate({ vm, vmi, startedSpec, rollout }: LiveUpdateFacts): LiveUpdate {
  const started = startedSpec?.template.spec;
  const wanted = vm.spec.template.spec;
  if (started === undefined || wanted === undefined) return { kind: 'same' };
  const swapped = rollout === 'LiveUpdate' ? withLiveFields(started, wanted, vm) : started;
  if (!isSameJson(bare(swapped), bare(wanted))) return { kind: 'restart', message: NOT_LIVE };
  if (rollout === 'Stage') return { kind: 'same' };
  const objection = objectionToSize(wanted, vmi);
  if (objection !== undefined) return { kind: 'restart', message: objection };
  // A domain that is on its way cannot be changed: what is wanted waits for its arrival.
  if (vmi.status?.phase !== VirtualMachineInstancePhase.running || isMigrating(vmi)) return { kind: 'same' };
  return carryOver({ started, wanted, current: vmi.spec }, vm, vmi);
}

/** Volumes that become others take two steps: other lists wait for the second, so that each is measured by what it was. */
function carryOver(specs: LiveSpecs, { spec }: VirtualMachine, vmi: VirtualMachineInstance): LiveUpdate {
  const swapped = spec.updateVolumesStrategy === 'Migration' ? new Set<string>() : swappedVolumes(specs, vmi);
  const isComplete = swapped.size === 0;
  const known = new Set((specs.started.volumes ?? []).map(({ name }) => name));
  const foreign = (vmi.spec.volumes ?? []).find(({ name }) => swapped.has(name) && !known.has(name));
  if (foreign !== undefined) return { kind: 'restart', message: foreignText(foreign.name) };
  const lists = isComplete ? withReturning(specs) : withoutSwapped(specs, swapped);
  const changes = [...changesOf(FIELDS, specs), ...changesOf(LISTS, lists)];
  return changes.length === 0 ? { kind: 'same' } : { kind: 'live', changes, isComplete };
}

/** It was plugged into the instance itself: nobody has asked to take it from the guest. */
function foreignText(name: string): string {
  return `the volume ${name} was plugged into the running instance in another form; remove it there, or restart`;
}

/** The started spec with all that can be changed live as it is wanted now: what then still differs is not live. */
function withLiveFields(
  started: VirtualMachineInstanceSpec,
  wanted: VirtualMachineInstanceSpec,
  vm: VirtualMachine,
): unknown {
  const { cpu, memory, devices } = wanted.domain;
  const isMigration = vm.spec.updateVolumesStrategy === 'Migration';
  const before = started.domain;
  return {
    ...started,
    nodeSelector: wanted.nodeSelector,
    affinity: wanted.affinity,
    tolerations: wanted.tolerations,
    ...(canSwapVolumes(started, wanted, isMigration) ? { volumes: wanted.volumes } : {}),
    ...(canSwapInterfaces(started, wanted) ? { networks: wanted.networks } : {}),
    domain: {
      ...before,
      ...(before.cpu === undefined || cpu === undefined ? {} : { cpu: { ...before.cpu, sockets: cpu.sockets } }),
      ...(memory?.guest === undefined ? {} : { memory: { ...before.memory, guest: memory.guest } }),
      devices: {
        ...before.devices,
        ...(canSwapDisks(started, wanted) ? { disks: devices.disks } : {}),
        ...(canSwapInterfaces(started, wanted) ? { interfaces: devices.interfaces } : {}),
      },
    },
  };
}

/** Why processors or memory cannot become what is wanted while the guest runs. */
function objectionToSize(
  wanted: VirtualMachineInstanceSpec,
  { spec, status }: VirtualMachineInstance,
): string | undefined {
  const sockets = wanted.domain.cpu?.sockets;
  const current = spec.domain.cpu?.sockets;
  if (sockets !== undefined && current !== undefined && sockets !== current) {
    if (sockets < current) return 'Reduction of CPU socket count requires a restart';
    if (sockets > (spec.domain.cpu?.maxSockets ?? current)) {
      return `CPU sockets updated in template spec to a value higher than what's available`;
    }
  }
  const guest = wanted.domain.memory?.guest;
  const now = spec.domain.memory?.guest;
  if (guest === undefined || now === undefined || compare(guest, now) === 0) return undefined;
  if (compare(guest, spec.domain.memory?.maxGuest ?? now) > 0) {
    return `memory updated in template spec to a value higher than what's available`;
  }
  if (compare(guest, status?.memory?.guestAtBoot ?? now) < 0) {
    return 'memory updated in template spec to a value lower than what the VM started with';
  }
  return undefined;
}

function compare(left: number | string, right: number | string): number {
  return compareQuantities(parseQuantity(String(left)), parseQuantity(String(right)));
}

/**
 * Only what was changed in the template counts: admission fills in fields of the instance that the template leaves open,
 * and those must not be taken for changes.
 */
function changesOf(fields: readonly LiveField[], specs: LiveSpecs): readonly LiveChange[] {
  return fields.flatMap(({ path, read }) => {
    const { before, value } = read(specs);
    return isSameJson(bare({ field: before }), bare({ field: value })) ? [] : [{ path, before, value }];
  });
}

interface LiveField {
  readonly path: string;
  readonly read: (specs: LiveSpecs) => { readonly before: unknown; readonly value: unknown };
}

const FIELDS: readonly LiveField[] = [
  field('/spec/domain/cpu/sockets', ({ domain }) => domain.cpu?.sockets),
  field('/spec/domain/memory/guest', ({ domain }) => domain.memory?.guest),
  field('/spec/nodeSelector', ({ nodeSelector }) => nodeSelector),
  field('/spec/affinity', ({ affinity }) => affinity),
  field('/spec/tolerations', ({ tolerations }) => tolerations),
];

const LISTS: readonly LiveField[] = [
  list('/spec/volumes', ({ volumes }) => volumes),
  list('/spec/domain/devices/disks', ({ domain }) => domain.devices.disks),
  list('/spec/networks', ({ networks }) => networks),
  list('/spec/domain/devices/interfaces', ({ domain }) => domain.devices.interfaces),
];

function field(path: string, read: (spec: VirtualMachineInstanceSpec) => unknown): LiveField {
  return {
    path,
    read: ({ started, wanted, current }) => {
      const before = read(current);
      const isSame = isSameJson(bare({ field: read(started) }), bare({ field: read(wanted) }));
      return { before, value: isSame ? before : read(wanted) };
    },
  };
}

function list(
  path: string,
  read: (spec: VirtualMachineInstanceSpec) => readonly { readonly name: string }[] | undefined,
): LiveField {
  return {
    path,
    read: ({ started, wanted, current }) => ({
      before: read(current),
      value: mergeByName({ started: read(started), wanted: read(wanted), current: read(current) }),
    }),
  };
}
