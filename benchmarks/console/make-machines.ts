import type { Draft, KubeClient } from '@smalt/kube';
import {
  virtualMachineInstanceKind,
  virtualMachineKind,
  type VirtualMachine,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

const NAMESPACE = 'default';
const HOSTS = 20;
const CLIENTS = 8;
const ADDRESSES = 250;

/** Makes machines that run, as far as the API server knows. */
export async function makeMachines(client: KubeClient, count: number, signal: AbortSignal): Promise<void> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  const work = async (): Promise<void> => {
    for (const index of indexes) await makeMachine(client, index, signal);
  };
  await Promise.all(Array.from({ length: CLIENTS }, work));
}

async function makeMachine(client: KubeClient, index: number, signal: AbortSignal): Promise<void> {
  const [name, options] = [machineName(index), { namespace: NAMESPACE, signal }];
  await client.resource(virtualMachineKind).create(machine(name), options);
  await tellStatus(client, index, 'Running', signal);
  await client.resource(virtualMachineInstanceKind).create(instance(name), options);
  const ipAddress = `10.0.${Math.floor(index / ADDRESSES)}.${index % ADDRESSES}`;
  const status = {
    phase: 'Running',
    nodeName: `host-${index % HOSTS}`,
    interfaces: [{ name: 'default', ipAddress }],
    conditions: [{ type: 'Ready', status: 'True' }],
  };
  await client.resource(virtualMachineInstanceKind).patch(name, 'merge', { status }, options);
}

/** Writes what a controller would: the word that the list shows. */
export async function tellStatus(
  client: KubeClient,
  index: number,
  printableStatus: string,
  signal: AbortSignal,
): Promise<void> {
  const options = { namespace: NAMESPACE, subresource: 'status', signal };
  const fields = { status: { printableStatus } };
  await client.resource(virtualMachineKind).patch(machineName(index), 'merge', fields, options);
}

function machineName(index: number): string {
  return `web-${String(index).padStart(4, '0')}`;
}

function machine(name: string): Draft<VirtualMachine> {
  return { metadata: { name }, spec: { runStrategy: 'Always', template: { spec: instance(name).spec } } };
}

function instance(name: string): Draft<VirtualMachineInstance> {
  return {
    metadata: { name },
    spec: { domain: { cpu: { cores: 2 }, memory: { guest: '1Gi' }, devices: {} } },
  };
}
