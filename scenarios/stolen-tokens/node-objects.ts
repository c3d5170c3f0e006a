import { KubeClient } from '@smalt/kube';

import type { VmControlPlane } from '../virtual-machines/control-plane.ts';

/** What is sent to an API server. */
export type Body = Readonly<Record<string, unknown>>;

/** Where objects are made. */
export const PATHS = {
  hypervisors: '/apis/kvm.cloud.sap/v1/hypervisors',
  evictions: '/apis/kvm.cloud.sap/v1/evictions',
  migrations: '/apis/kvm.cloud.sap/v1alpha1/namespaces/smalt-system/migrations',
  instances: '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances',
  nodes: '/api/v1/nodes',
  ovsNodes: '/apis/ovs.c5c3.io/v1alpha1/namespaces/ovn-system/ovsnodes',
  pods: '/api/v1/namespaces/default/pods',
  volumes: '/api/v1/persistentvolumes',
  events: '/api/v1/namespaces/default/events',
} as const;

export function leasesIn(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
}

export function leaseOf(name: string): Body {
  return { metadata: { name }, spec: { holderIdentity: 'somebody', leaseDurationSeconds: 15 } };
}

/** A hypervisor that the control plane keeps away from. */
function nodeOf(name: string): Body {
  const taints = [{ key: 'hypervisor', effect: 'NoSchedule' }];
  return { metadata: { name, labels: { 'node-role.kubernetes.io/hypervisor': '' } }, spec: { taints } };
}

export function hypervisorOf(name: string): Body {
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name }, spec: {} };
}

export function evictionOf(name: string): Body {
  const spec = { hypervisor: name, reason: 'reboot' };
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Eviction', metadata: { name }, spec };
}

/** Where the guests of all migrations go. */
const GOAL = 'n3';

/** One of the node whose token was stolen, in which nothing is told yet. */
export const NEW_MIGRATION = 'about-to-be-told';

export function migrationName(origin: string): string {
  return `moved-from-${origin}`;
}

/** As an agent makes it: what it tells follows. */
export function migrationOf(origin: string, name: string = migrationName(origin)): Body {
  const labels = { 'smalt.dev/instance': 'guest', 'smalt.dev/origin': origin, 'smalt.dev/destination': GOAL };
  const type = { apiVersion: 'kvm.cloud.sap/v1alpha1', kind: 'Migration' };
  return { ...type, metadata: { name, labels }, spec: {} };
}

/** What an agent tells of it. */
export function migrationStatus(origin: string): Body {
  return { status: { started: '2026-01-01T00:00:00Z', origin, destination: GOAL, type: 'completed' } };
}

export function eventName(account: string, node: string): string {
  return `${account}.${node}`;
}

/** As an `EventRecorder` writes it. */
export function eventOf(account: string, node: string): Body {
  const involvedObject = { kind: 'Pod', name: 'any', namespace: 'default' };
  const source = { component: account, host: node };
  const reporting = { reportingComponent: account, reportingInstance: node };
  const words = { reason: 'Stolen', message: 'stolen', type: 'Normal' };
  return { metadata: { name: eventName(account, node) }, involvedObject, source, ...reporting, ...words };
}

export function ovsNodeOf(name: string): Body {
  return { apiVersion: 'ovs.c5c3.io/v1alpha1', kind: 'OVSNode', metadata: { name }, spec: { nodeRef: { name } } };
}

/** The uid of the claim that a volume of a node is for. */
export function claimOf(node: string): string {
  return `uid-of-${node}`;
}

export function volumeOf(node: string): Body {
  const uid = claimOf(node);
  return {
    metadata: { name: `pvc-${uid}`, labels: { 'smalt.dev/volume-node': node } },
    spec: {
      capacity: { storage: '1Gi' },
      accessModes: ['ReadWriteOnce'],
      hostPath: { path: '/nowhere' },
      claimRef: { namespace: 'default', name: 'data', uid },
    },
  };
}

/** Makes two nodes with what is about them: all of the second one, and of the first what its programs do not make themselves. */
export async function makeObjects(control: VmControlPlane, [own, other]: readonly [string, string]): Promise<void> {
  const { admin } = control;
  for (const name of [own, other]) await post(admin, PATHS.nodes, nodeOf(name));
  for (const node of [own, other]) {
    const containers = [{ name: 'c', image: 'nothing' }];
    await post(admin, PATHS.pods, { metadata: { name: `pod-${node}` }, spec: { nodeName: node, containers } });
  }
  await post(admin, PATHS.hypervisors, hypervisorOf(other));
  await post(admin, PATHS.evictions, evictionOf(other));
  await makeMigration(admin, other);
  await post(admin, PATHS.migrations, migrationOf(own, NEW_MIGRATION));
  await post(admin, PATHS.ovsNodes, ovsNodeOf(other));
  await post(admin, PATHS.volumes, volumeOf(other));
  await post(admin, leasesIn('kube-node-lease'), leaseOf(other));
  for (const [namespace, name] of [
    ['smalt-system', 'smalt-node-agent'],
    ['smalt-system', 'smalt-virt-handler'],
    ['ovn-system', 'smalt-ovs-agent'],
  ] as const) {
    await post(admin, leasesIn(namespace), leaseOf(`${name}-${other}`));
  }
  for (const account of ['smalt-node-agent', 'smalt-virt-handler']) {
    await post(admin, PATHS.events, eventOf(account, other));
  }
  await makeInstances(control, [own, other]);
}

async function makeMigration(admin: KubeClient, origin: string): Promise<void> {
  await post(admin, PATHS.migrations, migrationOf(origin));
  const path = `${PATHS.migrations}/${migrationName(origin)}/status`;
  const contentType = 'application/merge-patch+json';
  await admin.request({ method: 'PATCH', path, contentType, body: JSON.stringify(migrationStatus(origin)) });
}

/** Instances that run, as the controller would have them. */
async function makeInstances({ accounts }: VmControlPlane, nodes: readonly string[]): Promise<void> {
  const config = await accounts.config({ name: 'smalt-virt-controller' });
  await using controller = new KubeClient({ config, userAgent: 'controller/1' });
  const spec = { hypervisor: 'test', domain: { devices: {}, memory: { guest: '64Mi' } } };
  for (const nodeName of nodes) {
    const name = `vm-${nodeName}`;
    const type = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance' };
    await post(controller, PATHS.instances, { ...type, metadata: { name }, spec });
    const contentType = 'application/merge-patch+json';
    const body = JSON.stringify({ status: { phase: 'Running', nodeName } });
    await controller.request({ method: 'PATCH', path: `${PATHS.instances}/${name}`, contentType, body });
  }
}

async function post(client: KubeClient, path: string, body: Body): Promise<void> {
  await client.request({ method: 'POST', path, body: JSON.stringify(body) });
}
