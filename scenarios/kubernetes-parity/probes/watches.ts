import { collect, get, patch, post, probe, remove, watch, type Probe } from '../probe.ts';
import { CONFIG_MAPS, MACHINES, PODS, SECRETS } from '../paths.ts';
import { configMap, machine, pod, secret } from '../sample-objects.ts';

const save = { version: 'metadata.resourceVersion' };
const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const METADATA = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
const labelled = (name: string): ReturnType<typeof configMap> => configMap(name, {}, { labels: { x: '1' } });
const INITIAL = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

/** Watches: where they start, what they tell. */
export const watchProbes: readonly Probe[] = [
  probe(
    'a watch from a version',
    post(SECRETS, secret('a'), { save }),
    watch('w', `${SECRETS}?watch=true&resourceVersion={version}`),
    post(SECRETS, secret('b')),
    patch('merge', `${SECRETS}/a`, { data: { z: 'eA==' } }),
    remove(`${SECRETS}/a`),
    collect('w', 3),
  ),
  probe(
    'a watch of Machines',
    post(MACHINES, machine('a'), { save }),
    watch('w', `${MACHINES}?watch=true&resourceVersion={version}`),
    patch('merge', `${MACHINES}/a/status`, { status: { phase: 'Up' } }),
    remove(`${MACHINES}/a`),
    collect('w', 2),
  ),
  probe(
    'a watch without a version',
    post(SECRETS, secret('b')),
    post(SECRETS, secret('a')),
    watch('w', `${SECRETS}?watch=1`),
    post(SECRETS, secret('c')),
    collect('w', 3),
  ),
  probe(
    'a watch from version 0',
    post(SECRETS, secret('a')),
    get(SECRETS),
    watch('w', `${SECRETS}?watch=true&resourceVersion=0`),
    post(SECRETS, secret('c')),
    collect('w', 2),
  ),
  probe(
    'objects enter and leave a watch',
    post(CONFIG_MAPS, labelled('a'), { save }),
    watch('w', `${CONFIG_MAPS}?watch=true&labelSelector=x%3D1&resourceVersion={version}`),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { labels: { x: '2' } } }),
    patch('merge', `${CONFIG_MAPS}/a`, { data: { y: '1' } }),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { labels: { x: '1' } } }),
    post(CONFIG_MAPS, configMap('b')),
    remove(`${CONFIG_MAPS}/a`),
    collect('w', 3),
  ),
  probe(
    'a watch of one name',
    post(CONFIG_MAPS, configMap('a'), { save }),
    watch('w', `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name%3Db&resourceVersion={version}`),
    post(CONFIG_MAPS, configMap('b')),
    patch('merge', `${CONFIG_MAPS}/a`, { data: { y: '1' } }),
    remove(`${CONFIG_MAPS}/b`),
    collect('w', 2),
  ),
  probe(
    'a watch by the old path',
    post(SECRETS, secret('a'), { save }),
    watch('w', `/api/v1/watch/namespaces/{ns}/secrets?resourceVersion={version}`),
    post(SECRETS, secret('b')),
    collect('w', 1),
  ),
  probe(
    'initial events',
    post(SECRETS, secret('b')),
    post(SECRETS, secret('a')),
    watch('w', `${SECRETS}?${INITIAL}`),
    collect('w', 3),
  ),
  probe(
    'initial events of Machines',
    post(MACHINES, machine('a')),
    watch('w', `${MACHINES}?${INITIAL}`),
    collect('w', 2),
  ),
  probe('initial events of nothing', watch('w', `${MACHINES}?${INITIAL}`), collect('w', 1)),
  probe(
    'initial events as a table',
    post(SECRETS, secret('a')),
    watch('w', `${SECRETS}?${INITIAL}`, TABLE),
    collect('w', 2),
  ),
  probe(
    'initial events as metadata',
    post(SECRETS, secret('a')),
    watch('w', `${SECRETS}?${INITIAL}`, METADATA),
    collect('w', 2),
  ),
  probe(
    'a watch as a table',
    post(MACHINES, machine('a'), { save }),
    watch('w', `${MACHINES}?watch=true&resourceVersion={version}`, TABLE),
    post(MACHINES, machine('b')),
    post(MACHINES, machine('c')),
    remove(`${MACHINES}/b`),
    collect('w', 3),
  ),
  probe(
    'a watch as a table from the start',
    post(MACHINES, machine('a')),
    post(MACHINES, machine('b')),
    watch('w', `${MACHINES}?watch=true`, TABLE),
    collect('w', 2),
  ),
  probe(
    'a watch as metadata',
    post(MACHINES, machine('a'), { save }),
    watch('w', `${MACHINES}?watch=true&resourceVersion={version}`, METADATA),
    post(MACHINES, machine('b')),
    collect('w', 1),
  ),
  probe(
    'a watch of a Pod that goes',
    post(PODS, pod('a', { nodeName: 'n1' }), { save }),
    watch('w', `${PODS}?watch=true&resourceVersion={version}`),
    remove(`${PODS}/a`),
    remove(`${PODS}/a`, { gracePeriodSeconds: 0 }),
    collect('w', 2),
  ),
  probe(
    'a watch of a Pod that goes at once',
    post(PODS, pod('a', { nodeName: 'n1' }), { save }),
    watch('w', `${PODS}?watch=true&resourceVersion={version}`),
    remove(`${PODS}/a`, { gracePeriodSeconds: 0 }),
    collect('w', 1),
  ),
  probe(
    'a watch of a Pod that nobody runs',
    post(PODS, pod('a'), { save }),
    watch('w', `${PODS}?watch=true&resourceVersion={version}`),
    remove(`${PODS}/a`),
    collect('w', 1),
  ),
  probe(
    'a watch of an object with a finalizer',
    post(CONFIG_MAPS, configMap('a', {}, { finalizers: ['example.dev/hold'] }), { save }),
    watch('w', `${CONFIG_MAPS}?watch=true&resourceVersion={version}&fieldSelector=metadata.name%3Da`),
    remove(`${CONFIG_MAPS}/a`),
    patch('merge', `${CONFIG_MAPS}/a`, { metadata: { finalizers: null } }),
    collect('w', 2),
  ),
  probe(
    'a watch from a version of the future',
    watch('w', `${SECRETS}?watch=true&resourceVersion=99999999999`),
    collect('w', 1),
  ),
  probe(
    'watches that are not valid',
    get(`${SECRETS}?watch=true&resourceVersion=x`),
    get(`${SECRETS}?watch=true&labelSelector=a%20b`),
    get(`${SECRETS}?watch=true&sendInitialEvents=true`),
    get(`${SECRETS}?watch=true&sendInitialEvents=true&resourceVersionMatch=Exact`),
    get(`${SECRETS}?watch=true&resourceVersionMatch=NotOlderThan`),
    get(`${MACHINES}?watch=true&fieldSelector=odd%3D1`),
    get(`${SECRETS}?watch=true&timeoutSeconds=x`),
  ),
  probe('a watch that ends by itself', get(`${MACHINES}?watch=true&timeoutSeconds=1&resourceVersion=0`)),
];
