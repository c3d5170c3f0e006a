import { isJsonObject } from '@smalt/json';
import { virtualMachineInstanceKind, virtualMachineInstanceMigrationKind, virtualMachineKind } from '@smalt/vm-api';

import { pathOf, type ApiClient } from '../../../api/api-client.ts';
import { ApiError } from '../../../api/api-error.ts';
import type { Machine } from '../machine.ts';
import type { MachineActionName } from './machine-action.ts';

const SUBRESOURCES = { group: 'subresources.kubevirt.io' } as const;

export interface MigrationWishes {
  /** The host it should go to; any that fits without one. */
  readonly host?: string | undefined;
}

/** Has the server do it. Resolves when the server has taken it on, which may be long before it is done. */
export async function runMachineAction(
  api: ApiClient,
  name: MachineActionName,
  machine: Machine,
  wishes: MigrationWishes = {},
): Promise<void> {
  switch (name) {
    case 'start':
    case 'stop':
    case 'restart':
      await api.call('PUT', subresourcePath(machine, 'virtualmachines', name), { body: {} });
      return;
    case 'pause':
    case 'unpause':
    case 'softreboot':
      await api.call('PUT', subresourcePath(machine, 'virtualmachineinstances', name), { body: {} });
      return;
    case 'migrate':
      await api.create(virtualMachineInstanceMigrationKind, migrationOf(machine, wishes), {
        namespace: machine.namespace,
      });
      return;
    case 'cancelMigration':
      await cancelMigration(api, machine);
      return;
    case 'delete':
      await api.remove(machine.virtualMachine === undefined ? virtualMachineInstanceKind : virtualMachineKind, machine);
      return;
  }
}

/** The path of a subresource of a machine or its instance. */
export function subresourcePath(
  { namespace, name }: Pick<Machine, 'namespace' | 'name'>,
  of: 'virtualmachines' | 'virtualmachineinstances',
  subresource: string,
): string {
  const kind = of === 'virtualmachines' ? virtualMachineKind : virtualMachineInstanceKind;
  return pathOf({ ...kind, ...SUBRESOURCES }, { namespace, name }, subresource);
}

function migrationOf({ name, namespace }: Machine, { host }: MigrationWishes): object {
  const { group, version, kind } = virtualMachineInstanceMigrationKind;
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { generateName: `${name}-`, namespace },
    spec: {
      vmiName: name,
      ...(host === undefined ? {} : { addedNodeSelector: { 'kubernetes.io/hostname': host } }),
    },
  };
}

// What the instance says may still be of its last migration, or not yet of this one: the migrations themselves count.
async function cancelMigration(api: ApiClient, { namespace, name }: Machine): Promise<void> {
  const { group, version, plural } = virtualMachineInstanceMigrationKind;
  const list = await api.call('GET', `/apis/${group}/${version}/namespaces/${encodeURIComponent(namespace)}/${plural}`);
  const names = migrationsUnderWay(list, name);
  if (names.length === 0) {
    const message = `No migration of ${name} is under way any more, so there is nothing to cancel.`;
    throw new ApiError({ code: 'not-found', status: 404, message });
  }
  for (const each of names) await api.remove(virtualMachineInstanceMigrationKind, { namespace, name: each });
}

function migrationsUnderWay(list: unknown, machine: string): readonly string[] {
  const items: readonly unknown[] = isJsonObject(list) && Array.isArray(list['items']) ? list['items'] : [];
  return items.flatMap((item) => {
    const { metadata, spec, status } = isJsonObject(item) ? item : {};
    if (!isJsonObject(metadata) || typeof metadata['name'] !== 'string') return [];
    const isOfMachine = isJsonObject(spec) && spec['vmiName'] === machine;
    const phase = isJsonObject(status) ? status['phase'] : undefined;
    return isOfMachine && phase !== 'Succeeded' && phase !== 'Failed' ? [metadata['name']] : [];
  });
}
