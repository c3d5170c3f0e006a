import { isSameJson } from '@smalt/json';
import type { VirtualMachineInstance, VirtualMachineInstanceSpec } from '@smalt/vm-api';

import { pluggedClaims } from '../attachment/plugged-claims.ts';
import { bare } from './bare.ts';
import { mergeByName } from './merge-by-name.ts';

/** The versions of a spec between which a live update goes. */
export type LiveSpecs = Readonly<Record<'started' | 'wanted' | 'current', VirtualMachineInstanceSpec>>;

interface Named {
  readonly name: string;
}

type ReadList = (spec: VirtualMachineInstanceSpec) => readonly Named[] | undefined;

/**
 * The plugged volumes that become others by the same name: the guest has to let go of each before it can be plugged in as it is
 * wanted, for the API takes no instance whose plugged volume changes.
 */
export function swappedVolumes(specs: LiveSpecs, { status }: VirtualMachineInstance): ReadonlySet<string> {
  const told = new Set((status?.volumeStatus ?? []).map(({ name }) => name));
  const lists = [mergedList(specs, volumesOf), mergedList(specs, disksOf)];
  const isSwapped = (name: string): boolean =>
    lists.some(({ before, after }) => {
      const [old, next] = [before.get(name), after.get(name)];
      if (next === undefined) return false;
      return old === undefined ? told.has(name) : !isSameJson(bare(old), bare(next));
    });
  const names = pluggedClaims({ spec: specs.wanted }).map(({ volumeName }) => volumeName);
  return new Set(names.filter(isSwapped));
}

/** The change of lists that comes first: those volumes go with their disks, and all else stays as the instance has it. */
export function withoutSwapped({ current }: LiveSpecs, swapped: ReadonlySet<string>): LiveSpecs {
  return { started: current, wanted: without(current, swapped), current };
}

/** The change of lists that comes then: what was taken out for a change counts as new, volume and disk alike. */
export function withReturning(specs: LiveSpecs): LiveSpecs {
  const { started, wanted, current } = specs;
  const present = byName(current.volumes);
  const isChanged = (name: string): boolean =>
    [volumesOf, disksOf].some((read) => {
      const [old, next] = [byName(read(started)).get(name), byName(read(wanted)).get(name)];
      return !isSameJson(bare({ item: old }), bare({ item: next }));
    });
  const names = pluggedClaims({ spec: wanted }).map(({ volumeName }) => volumeName);
  const returning = new Set(names.filter((name) => !present.has(name) && isChanged(name)));
  return returning.size === 0 ? specs : { started: without(started, returning), wanted, current };
}

function without(spec: VirtualMachineInstanceSpec, names: ReadonlySet<string>): VirtualMachineInstanceSpec {
  const isOther = ({ name }: Named): boolean => !names.has(name);
  const { devices } = spec.domain;
  return {
    ...spec,
    volumes: (spec.volumes ?? []).filter(isOther),
    domain: { ...spec.domain, devices: { ...devices, disks: (devices.disks ?? []).filter(isOther) } },
  };
}

function volumesOf({ volumes }: VirtualMachineInstanceSpec): readonly Named[] | undefined {
  return volumes;
}

function disksOf({ domain }: VirtualMachineInstanceSpec): readonly Named[] | undefined {
  return domain.devices.disks;
}

function mergedList(
  { started, wanted, current }: LiveSpecs,
  read: ReadList,
): { readonly before: ReadonlyMap<string, Named>; readonly after: ReadonlyMap<string, Named> } {
  const merged = mergeByName({ started: read(started), wanted: read(wanted), current: read(current) });
  return { before: byName(read(current)), after: byName(merged) };
}

function byName(items: readonly Named[] | undefined): ReadonlyMap<string, Named> {
  return new Map((items ?? []).map((item) => [item.name, item]));
}
