import type { JsonObject } from '@smalt/json';

import { get, patch, post, probe, put, type Probe } from '../probe.ts';
import { CONFIG_MAPS, DEPLOYMENTS, LEASES, MACHINES, PODS, SERVICES } from '../paths.ts';
import { configMap, deployment, lease, machine, pod, service } from '../sample-objects.ts';

const container = (name: string, rest: JsonObject = {}): JsonObject => ({ name, image: 'other:1', ...rest });
const applied = (data: Record<string, string>, metadata = {}): Parameters<typeof patch>[2] =>
  configMap('a', data, metadata);
const appliedMachine = (spec: Parameters<typeof machine>[1]): Parameters<typeof patch>[2] => ({
  apiVersion: '{group}/v1',
  kind: 'Machine',
  metadata: { name: 'a' },
  spec: spec ?? {},
});
const A = '?fieldManager=alice';
const B = '?fieldManager=bob';

/** The four kinds of patches, and who owns which field after them. */
export const patchProbes: readonly Probe[] = [
  probe(
    'a JSON patch',
    post(CONFIG_MAPS, configMap('a')),
    patch('json', `${CONFIG_MAPS}/a`, [
      { op: 'add', path: '/data/b', value: '2' },
      { op: 'replace', path: '/data/a', value: '3' },
      { op: 'copy', from: '/data/a', path: '/data/c' },
      { op: 'move', from: '/data/c', path: '/data/d' },
      { op: 'test', path: '/data/d', value: '3' },
    ]),
  ),
  probe(
    'JSON patches that do not fit',
    post(CONFIG_MAPS, configMap('a')),
    patch('json', `${CONFIG_MAPS}/a`, [{ op: 'test', path: '/data/a', value: '9' }]),
    patch('json', `${CONFIG_MAPS}/a`, [{ op: 'remove', path: '/data/nothing' }]),
    patch('json', `${CONFIG_MAPS}/a`, [{ op: 'replace', path: '/data/nothing', value: '1' }]),
    patch('json', `${CONFIG_MAPS}/a`, [{ op: 'add', path: '/nothing/a', value: '1' }]),
    patch('json', `${CONFIG_MAPS}/a`, [{ op: 'odd', path: '/data/a' }]),
    patch('json', `${CONFIG_MAPS}/a`, { op: 'add' }),
    patch('json', `${CONFIG_MAPS}/a`, '[{'),
  ),
  probe(
    'a JSON patch of a Machine',
    post(MACHINES, machine('a')),
    patch('json', `${MACHINES}/a`, [{ op: 'replace', path: '/spec/cpus', value: 0 }]),
    patch('json', `${MACHINES}/a`, [{ op: 'add', path: '/spec/tags', value: { a: 'b' } }]),
    patch('json', `${MACHINES}/a`, [{ op: 'remove', path: '/spec/nothing' }]),
  ),
  probe(
    'a merge patch',
    post(CONFIG_MAPS, configMap('a', { a: '1', b: '2' })),
    patch('merge', `${CONFIG_MAPS}/a`, { data: { a: null, c: '3' } }),
    patch('merge', `${CONFIG_MAPS}/a`, {}),
    patch('merge', `${CONFIG_MAPS}/a`, '{'),
    patch('merge', `${CONFIG_MAPS}/a`, []),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { name: 'b' } }),
    patch('merge', `${CONFIG_MAPS}/nothing`, { data: {} }),
  ),
  probe(
    'a merge patch with a version',
    post(CONFIG_MAPS, configMap('a'), { save: { version: 'metadata.resourceVersion' } }),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { resourceVersion: '{version}' }, data: { b: '1' } }),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { resourceVersion: '{version}' }, data: { b: '2' } }),
  ),
  probe(
    'a merge patch with a wrong type',
    post(CONFIG_MAPS, configMap('a')),
    patch('merge', `${CONFIG_MAPS}/a`, { data: { a: 5 } }),
    patch('merge', `${CONFIG_MAPS}/a`, { data: 'x' }),
  ),
  probe(
    'a merge patch of a Machine',
    post(MACHINES, machine('a')),
    patch('merge', `${MACHINES}/a`, { spec: { cpus: 1000 } }),
    patch('merge', `${MACHINES}/a`, { spec: { disks: [{ name: 'x' }] } }),
    patch('merge', `${MACHINES}/a`, { apiVersion: 'other/v1' }),
    patch('merge', `${MACHINES}/a`, { kind: 'Other' }),
  ),
  probe(
    'a strategic patch of a list',
    post(DEPLOYMENTS, deployment('a')),
    patch('strategic', `${DEPLOYMENTS}/a`, { spec: { template: { spec: { containers: [container('side')] } } } }),
    patch('strategic', `${DEPLOYMENTS}/a`, {
      spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } },
    }),
    patch('strategic', `${DEPLOYMENTS}/a`, {
      spec: {
        template: {
          spec: {
            $setElementOrder_containers: [],
            containers: [container('main', { env: [{ name: 'A', value: '1' }] })],
          },
        },
      },
    }),
  ),
  probe(
    'strategic directives',
    post(
      SERVICES,
      service('a', {
        ports: [
          { name: 'a', port: 1 },
          { name: 'b', port: 2 },
        ],
      }),
    ),
    patch('strategic', `${SERVICES}/a`, {
      spec: { '$setElementOrder/ports': [{ port: 2 }, { port: 1 }], ports: [{ port: 1, targetPort: 9 }] },
    }),
    patch('strategic', `${SERVICES}/a`, {
      spec: { $retainKeys: ['ports', 'clusterIP', 'type'], selector: { x: 'y' } },
    }),
    patch('strategic', `${SERVICES}/a`, { spec: { ports: [{ $patch: 'replace' }, { name: 'z', port: 7 }] } }),
    patch('strategic', `${SERVICES}/a`, { spec: { selector: { $patch: 'replace', q: 'r' } } }),
  ),
  probe(
    'strategic patches that do not fit',
    post(PODS, pod('a')),
    patch('strategic', `${PODS}/a`, { spec: { containers: [{ image: 'x' }] } }),
    patch('strategic', `${PODS}/a`, { spec: { containers: 'x' } }),
    patch('strategic', `${PODS}/a`, '{'),
    patch('strategic', `${PODS}/a`, { spec: { containers: [{ name: 'main', $patch: 'odd' }] } }),
  ),
  probe(
    'finalizers by a strategic patch',
    post(CONFIG_MAPS, configMap('a', {}, { finalizers: ['a.dev/x'] })),
    patch('strategic', `${CONFIG_MAPS}/a`, { metadata: { finalizers: ['a.dev/y'] } }),
    patch('strategic', `${CONFIG_MAPS}/a`, { metadata: { '$deleteFromPrimitiveList/finalizers': ['a.dev/x'] } }),
  ),
  probe(
    'owners after each kind of write',
    post(`${CONFIG_MAPS}?fieldManager=creator`, configMap('a', { a: '1', b: '1', c: '1' })),
    put(`${CONFIG_MAPS}/a?fieldManager=updater`, configMap('a', { a: '2', b: '1', c: '1' })),
    patch('merge', `${CONFIG_MAPS}/a?fieldManager=merger`, { data: { b: '2' } }),
    patch('json', `${CONFIG_MAPS}/a?fieldManager=patcher`, [{ op: 'remove', path: '/data/c' }]),
    patch('strategic', `${CONFIG_MAPS}/a?fieldManager=strategist`, { metadata: { labels: { x: 'y' } } }),
  ),
  probe(
    'the owner is named for the program',
    post(CONFIG_MAPS, configMap('a'), { headers: { 'user-agent': 'kubectl/v1.33.0 (linux/amd64)' } }),
    post(CONFIG_MAPS, configMap('b'), { headers: { 'user-agent': '' } }),
  ),
  probe(
    'owners of a Machine and its status',
    post(`${MACHINES}${A}`, machine('a')),
    patch('merge', `${MACHINES}/a/status${B}`, { status: { phase: 'Up' } }),
    patch('merge', `${MACHINES}/a/status?fieldManager=alice`, { status: { replicas: 2 } }),
  ),
  probe(
    'owners that a client takes away',
    post(`${CONFIG_MAPS}${A}`, configMap('a')),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { managedFields: [] } }),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { managedFields: [{}] } }),
    patch('merge', `${CONFIG_MAPS}/a${B}`, { data: { z: '1' } }),
  ),
  probe(
    'apply creates',
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '1' })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '1' })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '2', b: '1' })),
  ),
  probe(
    'apply conflicts',
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '1', b: '1' })),
    patch('apply', `${CONFIG_MAPS}/a${B}`, applied({ a: '2' })),
    patch('apply', `${CONFIG_MAPS}/a${B}`, applied({ a: '2', b: '2' })),
    patch('apply', `${CONFIG_MAPS}/a${B}&force=true`, applied({ a: '2' })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ b: '1' })),
  ),
  probe(
    'apply conflicts with an update',
    post(`${CONFIG_MAPS}${A}`, configMap('a')),
    patch('apply', `${CONFIG_MAPS}/a${B}`, applied({ a: '2' })),
  ),
  probe(
    'apply conflicts with several',
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '1' })),
    patch('merge', `${CONFIG_MAPS}/a?fieldManager=carol`, { data: { b: '1' } }),
    patch('apply', `${CONFIG_MAPS}/a${B}`, applied({ a: '2', b: '2' })),
  ),
  probe(
    'apply shares',
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '1' })),
    patch('apply', `${CONFIG_MAPS}/a${B}`, applied({ a: '1' })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({})),
    get(`${CONFIG_MAPS}/a`),
  ),
  probe(
    'apply removes',
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '1', b: '1' })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({ a: '1' })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } }),
  ),
  probe(
    'apply without a manager',
    patch('apply', `${CONFIG_MAPS}/a`, applied({})),
    patch('merge', `${CONFIG_MAPS}/a?force=true`, {}),
    patch('apply', `${CONFIG_MAPS}/a${A}&force=odd`, applied({})),
  ),
  probe(
    'apply of bodies that are not valid',
    patch('apply', `${CONFIG_MAPS}/a${A}`, '{'),
    patch('apply', `${CONFIG_MAPS}/a${A}`, { metadata: { name: 'a' } }),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({}, { managedFields: [{ manager: 'x', operation: 'Update' }] })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, { ...configMap('a'), odd: 1 }),
    patch('apply', `${CONFIG_MAPS}/a${A}`, { ...configMap('b') }),
    patch('apply', `${MACHINES}/a${A}`, appliedMachine({ cpus: 'x' })),
    patch('apply', `${MACHINES}/a${A}`, appliedMachine({ odd: 1 })),
  ),
  probe(
    'apply of YAML',
    patch('apply', `${CONFIG_MAPS}/a${A}`, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "1"\n'),
  ),
  probe(
    'apply of a Machine',
    patch('apply', `${MACHINES}/a${A}`, appliedMachine({ cpus: 2, disks: [{ name: 'root', sizeGiB: 1 }] })),
    patch('apply', `${MACHINES}/a${B}`, appliedMachine({ disks: [{ name: 'data', sizeGiB: 2 }] })),
    patch('apply', `${MACHINES}/a${B}`, appliedMachine({ disks: [{ name: 'root', sizeGiB: 3 }] })),
    patch('apply', `${MACHINES}/a${A}`, appliedMachine({ cpus: 2 })),
    patch('apply', `${MACHINES}/a${B}`, appliedMachine({ disks: [{ name: 'data' }, { name: 'data' }] })),
  ),
  probe(
    'apply of the status of a Machine',
    patch('apply', `${MACHINES}/a${A}`, appliedMachine({ cpus: 2 })),
    patch('apply', `${MACHINES}/a/status${B}`, {
      apiVersion: '{group}/v1',
      kind: 'Machine',
      metadata: { name: 'a' },
      status: { phase: 'Up', conditions: [{ type: 'Ready', status: 'True' }] },
    }),
    patch('apply', `${MACHINES}/a/status${A}`, {
      apiVersion: '{group}/v1',
      kind: 'Machine',
      metadata: { name: 'a' },
      status: { phase: 'Down' },
    }),
    patch('apply', `${MACHINES}/b/status${A}`, {
      apiVersion: '{group}/v1',
      kind: 'Machine',
      metadata: { name: 'b' },
      status: { phase: 'Down' },
    }),
  ),
  probe(
    'apply of a Deployment',
    patch('apply', `${DEPLOYMENTS}/a${A}`, deployment('a')),
    patch('apply', `${DEPLOYMENTS}/a${B}`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: { replicas: 5 },
    }),
    patch('apply', `${DEPLOYMENTS}/a${B}&force=true`, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a' },
      spec: {
        replicas: 5,
        template: { spec: { containers: [{ name: 'side', image: 's', ports: [{ containerPort: 80 }] }] } },
      },
    }),
    patch('apply', `${DEPLOYMENTS}/a${B}`, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' } }),
  ),
  probe(
    'apply takes over what kubectl has updated',
    post(
      `${CONFIG_MAPS}?fieldManager=kubectl-client-side-apply`,
      configMap(
        'a',
        { a: '1' },
        {
          annotations: {
            'kubectl.kubernetes.io/last-applied-configuration':
              '{"apiVersion":"v1","data":{"a":"1"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a"}}\n',
          },
        },
      ),
    ),
    patch('apply', `${CONFIG_MAPS}/a?fieldManager=kubectl`, applied({ a: '2' })),
  ),
  probe(
    'apply in a dry run',
    patch('apply', `${CONFIG_MAPS}/a${A}&dryRun=All`, applied({ a: '1' })),
    get(`${CONFIG_MAPS}/a`),
  ),
  probe(
    'apply with a version',
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({}, { resourceVersion: '7' })),
    post(CONFIG_MAPS, configMap('a')),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({}, { resourceVersion: '7' })),
    patch('apply', `${CONFIG_MAPS}/a${A}`, applied({}, { uid: '00000000-0000-4000-8000-000000000001' })),
  ),
  probe(
    'a patch of a Lease',
    post(LEASES, lease('a')),
    patch('strategic', `${LEASES}/a`, { spec: { renewTime: '2001-01-01T00:00:00.000001Z', holderIdentity: 'z' } }),
    patch('merge', `${LEASES}/a`, { spec: { renewTime: 'yesterday' } }),
  ),
];
