import { get, patch, post, probe, put, remove, type Probe } from '../probe.ts';
import { CONFIG_MAPS, DEPLOYMENTS, MACHINES, PODS, SERVICES } from '../paths.ts';
import { configMap, deployment, machine, pod, service } from '../sample-objects.ts';

const held = (name: string): ReturnType<typeof configMap> => configMap(name, {}, { finalizers: ['example.dev/hold'] });
const save = { uid: 'metadata.uid', version: 'metadata.resourceVersion' };

/** How objects go. */
export const deletionProbes: readonly Probe[] = [
  probe(
    'a finalizer holds an object',
    post(CONFIG_MAPS, held('a')),
    remove(`${CONFIG_MAPS}/a`),
    remove(`${CONFIG_MAPS}/a`),
    patch('merge', `${CONFIG_MAPS}/a`, { data: { b: '1' } }),
    post(CONFIG_MAPS, configMap('a')),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { finalizers: ['example.dev/hold', 'example.dev/new'] } }),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { finalizers: null } }),
    get(`${CONFIG_MAPS}/a`),
  ),
  probe(
    'a finalizer holds a Machine',
    post(MACHINES, machine('a', {}, { finalizers: ['example.dev/hold'] })),
    remove(`${MACHINES}/a`),
    patch('merge', `${MACHINES}/a`, { spec: { cpus: 7 } }),
    put(`${MACHINES}/a`, machine('a')),
    patch('json', `${MACHINES}/a`, [{ op: 'remove', path: '/metadata/finalizers' }]),
    get(`${MACHINES}/a`),
  ),
  probe(
    'preconditions',
    post(CONFIG_MAPS, configMap('a'), { save }),
    remove(`${CONFIG_MAPS}/a`, { preconditions: { uid: '00000000-0000-4000-8000-000000000001' } }),
    remove(`${CONFIG_MAPS}/a`, { preconditions: { resourceVersion: '1' } }),
    remove(`${CONFIG_MAPS}/a`, { preconditions: { uid: '{uid}', resourceVersion: '{version}' } }),
  ),
  probe(
    'preconditions of a Machine',
    post(MACHINES, machine('a'), { save }),
    remove(`${MACHINES}/a`, { preconditions: { uid: '00000000-0000-4000-8000-000000000001' } }),
    remove(`${MACHINES}/a`, { preconditions: { uid: '{uid}' } }),
  ),
  probe(
    'options with a kind',
    post(CONFIG_MAPS, configMap('a')),
    remove(`${CONFIG_MAPS}/a`, { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' }),
  ),
  probe(
    'options with the kind of the group',
    post(MACHINES, machine('a')),
    remove(`${MACHINES}/a`, { apiVersion: '{group}/v1', kind: 'DeleteOptions' }),
    remove(`${MACHINES}/a`, { apiVersion: 'meta.k8s.io/v1', kind: 'DeleteOptions' }),
  ),
  probe(
    'options that are not valid',
    post(CONFIG_MAPS, configMap('a')),
    remove(`${CONFIG_MAPS}/a`, { propagationPolicy: 'Odd' }),
    remove(`${CONFIG_MAPS}/a`, { orphanDependents: true, propagationPolicy: 'Background' }),
    remove(`${CONFIG_MAPS}/a`, { kind: 'Odd', apiVersion: 'v1' }),
    remove(`${CONFIG_MAPS}/a`, '{'),
    remove(`${CONFIG_MAPS}/a`, { dryRun: ['Odd'] }),
    remove(`${CONFIG_MAPS}/a?gracePeriodSeconds=x`),
    remove(`${CONFIG_MAPS}/a`, { odd: 1 }),
  ),
  probe(
    'foreground',
    post(DEPLOYMENTS, deployment('a')),
    remove(`${DEPLOYMENTS}/a`, { propagationPolicy: 'Foreground' }),
    remove(`${DEPLOYMENTS}/a?propagationPolicy=Foreground`),
    patch('merge', `${DEPLOYMENTS}/a`, { metadata: { finalizers: null } }),
    get(`${DEPLOYMENTS}/a`),
  ),
  probe(
    'orphan',
    post(DEPLOYMENTS, deployment('a', { paused: true })),
    patch('merge', `${DEPLOYMENTS}/a`, { metadata: { finalizers: ['example.dev/hold'] } }),
    remove(`${DEPLOYMENTS}/a?propagationPolicy=Orphan`),
  ),
  probe(
    'background',
    post(MACHINES, machine('a', {}, { finalizers: ['example.dev/hold'] })),
    remove(`${MACHINES}/a?propagationPolicy=Background`),
  ),
  probe(
    'options in the query and the body',
    post(CONFIG_MAPS, held('a')),
    remove(`${CONFIG_MAPS}/a?gracePeriodSeconds=0&propagationPolicy=Foreground`, { gracePeriodSeconds: 5 }),
  ),
  probe(
    'a collection of ConfigMaps',
    post(CONFIG_MAPS, configMap('a', {}, { labels: { x: '1' } })),
    post(CONFIG_MAPS, configMap('b', {}, { labels: { x: '2' } })),
    remove(`${CONFIG_MAPS}?labelSelector=x%3D1`),
    get(`${CONFIG_MAPS}?labelSelector=x`),
    remove(`${CONFIG_MAPS}?labelSelector=x&dryRun=All`),
    get(`${CONFIG_MAPS}?labelSelector=x`),
  ),
  probe(
    'a collection of Machines',
    post(MACHINES, machine('a')),
    post(MACHINES, machine('b', {}, { finalizers: ['example.dev/hold'] })),
    remove(MACHINES),
    get(MACHINES),
  ),
  probe('a collection that is empty', remove(MACHINES), remove(`${MACHINES}?fieldSelector=odd%3D1`)),
  probe(
    'Pods in a collection',
    post(PODS, pod('a', { nodeName: 'n1' }, { labels: { x: '1' } })),
    remove(`${PODS}?labelSelector=x%3D1`),
    remove(`${PODS}?labelSelector=x%3D1&gracePeriodSeconds=0`),
    get(PODS),
  ),
  probe(
    'a Pod with a finalizer',
    post(PODS, pod('a', {}, { finalizers: ['example.dev/hold'] })),
    remove(`${PODS}/a`),
    patch('merge', `${PODS}/a`, { metadata: { finalizers: null } }),
  ),
  probe(
    'a Pod and a negative grace period',
    post(PODS, pod('a', { nodeName: 'n1' })),
    remove(`${PODS}/a`, { gracePeriodSeconds: -5 }),
    post(PODS, pod('b', { nodeName: 'n1', terminationGracePeriodSeconds: 7 })),
    remove(`${PODS}/b`, { preconditions: { uid: 'x' } }),
    remove(`${PODS}/b`),
  ),
  probe(
    'a Pod that has ended',
    post(PODS, pod('a', { nodeName: 'n1' })),
    patch('merge', `${PODS}/a/status`, { status: { phase: 'Succeeded' } }),
    remove(`${PODS}/a`),
  ),
  probe('a Service goes', post(SERVICES, service('a')), remove(`${SERVICES}/a`)),
  probe(
    'the finalizer of another policy',
    post(CONFIG_MAPS, configMap('a', {}, { finalizers: ['foregroundDeletion'] })),
    remove(`${CONFIG_MAPS}/a?propagationPolicy=Background`),
  ),
];
