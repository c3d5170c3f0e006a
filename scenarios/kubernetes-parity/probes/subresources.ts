import type { JsonObject } from '@smalt/json';

import { get, patch, post, probe, put, type Probe } from '../probe.ts';
import { DEPLOYMENTS, MACHINES, PODS } from '../paths.ts';
import { deployment, machine, pod } from '../sample-objects.ts';

const ACCOUNTS = '/api/v1/namespaces/{ns}/serviceaccounts';
const scale = (replicas: number, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: '{ns}', ...metadata },
  spec: { replicas },
});

/** Subresources, and a token for an account. */
export const subresourceProbes: readonly Probe[] = [
  probe(
    'the scale of a Deployment',
    post(DEPLOYMENTS, deployment('a')),
    get(`${DEPLOYMENTS}/a/scale`),
    put(`${DEPLOYMENTS}/a/scale`, scale(5)),
    patch('merge', `${DEPLOYMENTS}/a/scale`, { spec: { replicas: 6 } }),
    patch('json', `${DEPLOYMENTS}/a/scale`, [{ op: 'replace', path: '/spec/replicas', value: 7 }]),
    patch('apply', `${DEPLOYMENTS}/a/scale?fieldManager=x&force=true`, scale(8)),
    get(`${DEPLOYMENTS}/a`),
  ),
  probe(
    'scales that are not valid',
    post(DEPLOYMENTS, deployment('a')),
    put(`${DEPLOYMENTS}/a/scale`, scale(-1)),
    put(`${DEPLOYMENTS}/a/scale`, scale(3, { resourceVersion: '1' })),
    put(`${DEPLOYMENTS}/nothing/scale`, { ...scale(3), metadata: { name: 'nothing' } }),
    patch('merge', `${DEPLOYMENTS}/a/scale`, { spec: { replicas: 'x' } }),
  ),
  probe(
    'the scale of a Machine',
    post(MACHINES, machine('a')),
    get(`${MACHINES}/a/scale`),
    put(`${MACHINES}/a/scale`, scale(5)),
    patch('merge', `${MACHINES}/a/scale`, { spec: { replicas: 6 } }),
    patch('merge', `${MACHINES}/a/status`, { status: { replicas: 6, selector: 'a=b' } }),
    get(`${MACHINES}/a/scale`),
    put(`${MACHINES}/a/scale`, scale(-1)),
    get(`${MACHINES}/a`),
  ),
  probe(
    'the status of a Deployment',
    post(DEPLOYMENTS, deployment('a')),
    get(`${DEPLOYMENTS}/a/status`),
    put(`${DEPLOYMENTS}/a/status`, {
      ...deployment('a', { replicas: 9 }),
      status: { replicas: 1, observedGeneration: 1 },
    }),
    patch('strategic', `${DEPLOYMENTS}/a/status`, { status: { conditions: [{ type: 'Available', status: 'True' }] } }),
  ),
  probe(
    'the status of a Machine',
    post(MACHINES, machine('a')),
    put(`${MACHINES}/a/status`, { ...machine('a', { cpus: 9 }, { labels: { a: 'b' } }), status: { phase: 'Up' } }),
    patch('json', `${MACHINES}/a/status`, [{ op: 'replace', path: '/status/phase', value: 'Down' }]),
    patch('merge', `${MACHINES}/a/status`, { status: { replicas: 'x' } }),
    get(`${MACHINES}/nothing/status`),
  ),
  probe(
    'a Pod is bound',
    post(PODS, pod('a')),
    post(`${PODS}/a/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n1' },
    }),
    get(`${PODS}/a`),
    post(`${PODS}/a/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Node', name: 'n2' },
    }),
    post(`${PODS}/a/binding`, {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name: 'a' },
      target: { kind: 'Pod', name: '' },
    }),
  ),
  probe(
    'a Pod is evicted',
    post(PODS, pod('a')),
    post(`${PODS}/a/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'a', namespace: '{ns}' },
    }),
    get(`${PODS}/a`),
    post(`${PODS}/a/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } }),
  ),
  probe(
    'the log of a Pod that nobody runs',
    post(PODS, pod('a')),
    get(`${PODS}/a/log`),
    get(`${PODS}/nothing/log`),
    get(`${PODS}/a/log?container=odd`),
    get(`${PODS}/a/log?tailLines=-1`),
  ),
  probe(
    'a token',
    post(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }),
    post(`${ACCOUNTS}/a/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 3600 },
    }),
    post(`${ACCOUNTS}/a/token`, {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { expirationSeconds: 5 },
    }),
    post(`${ACCOUNTS}/nothing/token`, { spec: {} }),
    post(`${ACCOUNTS}/a/token`, {
      spec: { audiences: ['x'], boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } },
    }),
  ),
];
