import { get, patch, post, probe, put, remove, type Probe } from '../probe.ts';
import { CONFIG_MAPS, DEFINITIONS, MACHINES, PODS, ROLES, ROLE_BINDINGS } from '../paths.ts';
import { configMap, definition, machine, role } from '../sample-objects.ts';

/** How objects that are not valid are refused, and with which words. */
export const refusedObjectProbes: readonly Probe[] = [
  probe(
    'labels and annotations that are not valid',
    post(
      CONFIG_MAPS,
      configMap('a', {}, { labels: { 'a b': 'c d', ok: 'x'.repeat(64) }, annotations: { 'a b': 'x' } }),
    ),
    post(MACHINES, machine('a', {}, { labels: { 'a b': 'c d' }, annotations: { 'A/B/c': 'x' } })),
  ),
  probe(
    'keys of a ConfigMap that are not valid',
    post(CONFIG_MAPS, configMap('a', { 'a b': '1', '..': '2' })),
    post(CONFIG_MAPS, { ...configMap('a', { a: '1' }), binaryData: { a: 'eA==' } }),
  ),
  probe(
    'owner references whose version cannot be read',
    post(
      CONFIG_MAPS,
      configMap('a', {}, { ownerReferences: [{ apiVersion: 'a/b/c', kind: 'Pod', name: 'p', uid: 'u' }] }),
    ),
    post(
      CONFIG_MAPS,
      configMap('b', {}, { ownerReferences: [{ apiVersion: '/v1', kind: 'Pod', name: 'p', uid: 'u' }] }),
    ),
    post(CONFIG_MAPS, configMap('c', {}, { ownerReferences: [{ apiVersion: '/', kind: 'Pod', name: 'p', uid: 'u' }] })),
  ),
  probe(
    'owner references that are not valid',
    post(CONFIG_MAPS, configMap('a', {}, { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: '', uid: '' }] })),
    post(
      CONFIG_MAPS,
      configMap(
        'a',
        {},
        {
          ownerReferences: [
            { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u', controller: true },
            { apiVersion: 'v1', kind: 'Pod', name: 'b', uid: 'v', controller: true },
          ],
        },
      ),
    ),
  ),
  probe(
    'finalizers that are not valid',
    post(CONFIG_MAPS, configMap('a', {}, { finalizers: ['a b'] })),
    post(CONFIG_MAPS, configMap('a', {}, { finalizers: ['plain'] })),
    post(MACHINES, machine('a', {}, { finalizers: ['plain'] })),
  ),
  probe('a Machine with one error', post(MACHINES, machine('a', { cpus: 0 }))),
  probe(
    'a Machine with several errors',
    post(
      MACHINES,
      machine('a', { cpus: 1000, memory: 'lots', disks: [{ name: 'a', bus: 'ide' }, { name: 'a' }, { sizeGiB: 1 }] }),
    ),
  ),
  probe(
    'a Machine without its spec',
    post(MACHINES, { apiVersion: '{group}/v1', kind: 'Machine', metadata: { name: 'a' } }),
    post(MACHINES, { apiVersion: '{group}/v1', kind: 'Machine', metadata: { name: 'a' }, spec: {} }),
  ),
  probe(
    'a rule of a Machine',
    post(MACHINES, machine('a', { maxCpus: 2 })),
    post(MACHINES, machine('a', { image: 'a' })),
    patch('merge', `${MACHINES}/a`, { spec: { image: 'b' } }),
  ),
  probe(
    'null for a field of a Machine',
    post(MACHINES, machine('a', { replicas: null, memory: null, hypervisor: null, cpus: 1 })),
    post(MACHINES, machine('b', { cpus: null })),
  ),
  probe(
    'numbers for a Machine',
    post(MACHINES, machine('a', { cpus: 1.5 })),
    post(
      MACHINES,
      '{"apiVersion":"{group}/v1","kind":"Machine","metadata":{"name":"b"},"spec":{"cpus":4.0,"extra":{"big":9007199254740993,"float":1e3,"small":0.1}}}',
    ),
    get(`${MACHINES}/b`),
  ),
  probe(
    'a long list of errors',
    post(
      CONFIG_MAPS,
      configMap('a', Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`a ${index}`, 'x']))),
    ),
  ),
  probe(
    'a definition with errors',
    post(DEFINITIONS, { ...definition('odds', 'Odd'), metadata: { name: 'evens.{group}' } }),
    post(DEFINITIONS, definition('odds', 'Odd', { versions: [{ name: 'v1', served: true, storage: true }] })),
    post(DEFINITIONS, definition('odds', 'Odd', { scope: 'Odd' })),
    post(DEFINITIONS, definition('odds', 'Odd', { versions: [] })),
    post(
      DEFINITIONS,
      definition('odds', 'Odd', {
        versions: [{ name: 'v1', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } }],
      }),
    ),
  ),
  probe(
    'a definition whose schema is not structural',
    post(
      DEFINITIONS,
      definition('odds', 'Odd', {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                properties: { a: {}, b: { type: 'array' }, c: { type: 'string', default: 5 } },
              },
            },
          },
        ],
      }),
    ),
  ),
  probe(
    'a definition with a rule that does not compile',
    post(
      DEFINITIONS,
      definition('odds', 'Odd', {
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                'x-kubernetes-validations': [{ rule: 'self.nothing > 1' }],
                properties: { a: { type: 'string', maxLength: 5 } },
              },
            },
          },
        ],
      }),
    ),
  ),
  probe(
    'a Role with errors',
    post(
      ROLES,
      role('a', [
        { verbs: [], resources: ['pods'], apiGroups: [''] },
        { verbs: ['get'], nonResourceURLs: ['/x'] },
        { verbs: ['get'], resources: [], apiGroups: [] },
      ]),
    ),
  ),
  probe(
    'a RoleBinding',
    post(ROLE_BINDINGS, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'a' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'ServiceAccount', name: 's', namespace: '{ns}' },
      ],
    }),
    patch('merge', `${ROLE_BINDINGS}/a`, { roleRef: { name: 'other' } }),
    post(ROLE_BINDINGS, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'b' },
      roleRef: { kind: 'Odd', name: '' },
      subjects: [{ kind: 'ServiceAccount', name: 's' }],
    }),
  ),
  probe(
    'a Role',
    post(ROLES, role('a', [{ verbs: ['get'], resources: ['pods'], apiGroups: [''] }])),
    put(`${ROLES}/b`, role('b', [])),
    remove(`${ROLES}/a`),
  ),
  probe(
    'a namespace of two words',
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'a_b' } }),
    get('/api/v1/namespaces/{ns}'),
    post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: '{ns}' } }),
  ),
  probe(
    'the life of a namespace',
    post('/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: '{ns}-life', finalizers: ['example.dev/hold'] },
    }),
    patch('merge', '/api/v1/namespaces/{ns}-life', { metadata: { labels: { a: 'b' } } }),
    remove('/api/v1/namespaces/{ns}-life'),
    post('/api/v1/namespaces/{ns}-life/configmaps', configMap('a')),
    patch('merge', '/api/v1/namespaces/{ns}-life', { metadata: { finalizers: null } }),
  ),
  probe(
    'a delete of a namespace that is kept',
    remove('/api/v1/namespaces/default'),
    remove('/api/v1/namespaces/kube-system'),
  ),
  probe(
    'a body that is too large',
    post(
      CONFIG_MAPS,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"a":"${'x'.repeat(3_200_000)}"}}`,
    ),
  ),
  probe('a ConfigMap that is too large', post(CONFIG_MAPS, configMap('a', { a: 'x'.repeat(1_048_577) }))),
  probe(
    'annotations that are too large',
    post(CONFIG_MAPS, configMap('a', {}, { annotations: { a: 'x'.repeat(262_145) } })),
  ),
  probe('pods for a node', get(`${PODS}?fieldSelector=spec.nodeName%3Dn1`)),
];
