import { createHash } from 'node:crypto';

import { isJsonObject, type JsonObject } from '@smalt/json';

import { smallInstance } from '../../vms/cluster/small-instances.ts';

const PREFIX = 'vm';

/** The name of a machine, and of its instance; numbers begin with 0. */
export function machineName(index: number): string {
  return `${PREFIX}-${index + 1}`;
}

/**
 * A machine of libvirt's mock hypervisor that is started again whenever its instance is gone. It has the id that virt-api
 * would give it: by that the HA service knows what a host tells of.
 */
export function fleetMachine(name: string): JsonObject {
  const { spec = {} } = smallInstance(name, { hypervisor: 'test', hasCard: false });
  const { domain, ...rest } = isJsonObject(spec) ? spec : {};
  const firmware = { uuid: uuidOf(name) };
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachine',
    metadata: { name, namespace: 'default' },
    spec: {
      runStrategy: 'Always',
      template: { metadata: {}, spec: { ...rest, domain: { ...(isJsonObject(domain) ? domain : {}), firmware } } },
    },
  };
}

/** The same for the same name. */
function uuidOf(name: string): string {
  const digest = createHash('sha256').update(name).digest('hex');
  const parts = [digest.slice(0, 8), digest.slice(8, 12), `4${digest.slice(13, 16)}`, `8${digest.slice(17, 20)}`];
  return [...parts, digest.slice(20, 32)].join('-');
}
