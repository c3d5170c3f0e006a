import type { KubernetesObject } from '@smalt/kubernetes';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { planFirewall, type PolicyState } from './plan-firewall.ts';
import type { NetworkPolicy, Pod } from './policy-objects.ts';

const web = pod('shop/web', '10.244.1.2', { ports: [{ name: 'http', containerPort: 8080 }] });
const other = pod('shop/other', '10.244.1.3');
const far = pod('shop/far', '10.244.2.2', { nodeName: 'node2', ports: [{ name: 'http', containerPort: 80 }] });
const metrics = pod('watch/metrics', '10.244.2.3', { nodeName: 'node2' });
const onNode = pod('shop/agent', '198.18.0.1', { hostNetwork: true });
const hasEnded = pod('shop/job', '10.244.1.3', { phase: 'Succeeded' });
const PODS = [web, other, far, metrics, onNode, hasEnded];
const NAMESPACES = [namespace('shop', { team: 'a' }), namespace('watch', { team: 'b' })];
const REJECT = 'reject with icmp type admin-prohibited';

it('lets everything pass where there are no policies', () => {
  expect(chains(planFirewall(stateOf(), 'node1'))).toEqual({
    leave: [],
    enter: [],
    forward: [
      'type filter hook forward priority filter',
      'ct state established,related accept',
      'jump leave',
      'jump enter',
    ],
    input: ['type filter hook input priority filter', 'ct state established,related accept', 'jump leave'],
  });
});

it('guards the pods of its own node alone, by the policies of their namespace', () => {
  const state = stateOf(policy('all', { podSelector: {}, policyTypes: ['Ingress'] }));

  expect(chains(planFirewall(state, 'node1'))).toMatchObject({
    'enter-10.244.1.2': ['ip saddr 10.244.1.2 return', REJECT],
    'enter-10.244.1.3': ['ip saddr 10.244.1.3 return', REJECT],
    enter: ['ip daddr vmap { 10.244.1.2 : jump enter-10.244.1.2, 10.244.1.3 : jump enter-10.244.1.3 }'],
    leave: [],
  });
  expect(chains(planFirewall(state, 'node2'))['enter']).toEqual([
    'ip daddr vmap { 10.244.2.2 : jump enter-10.244.2.2 }',
  ]);
});

it.each([
  ['anybody, by a rule that names nobody', [{}], ['return']],
  ['anybody at a port', [{ ports: [{ port: 8080 }] }], ['tcp dport 8080 return']],
  ['anybody at a named port of the pod', [{ ports: [{ port: 'http' }] }], ['tcp dport 8080 return']],
  ['nobody at a port that the pod does not have', [{ ports: [{ port: 'https' }] }], []],
  ['a range of ports', [{ ports: [{ port: 5, endPort: 9, protocol: 'UDP' }] }], ['udp dport 5-9 return']],
  ['a whole protocol', [{ ports: [{ protocol: 'SCTP' }] }], ['meta l4proto sctp return']],
  [
    'pods of its own namespace',
    [{ from: [{ podSelector: {} }] }],
    ['ip saddr { 10.244.1.2, 10.244.1.3, 10.244.2.2 } return'],
  ],
  [
    'pods of other namespaces, at two ports',
    [{ from: [{ namespaceSelector: { matchLabels: { team: 'b' } } }], ports: [{ port: 1 }, { port: 2 }] }],
    ['ip saddr { 10.244.2.3 } tcp dport 1 return', 'ip saddr { 10.244.2.3 } tcp dport 2 return'],
  ],
  [
    'only pods with both labels of a peer',
    [{ from: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: 'far' } } }] }],
    ['ip saddr { 10.244.2.2 } return'],
  ],
  ['nobody, where no pod is meant', [{ from: [{ podSelector: { matchLabels: { app: 'none' } } }] }], []],
  [
    'addresses, but some of them',
    [{ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.244.0.0/16'] } }] }],
    ['ip saddr 10.0.0.0/8 ip saddr != { 10.244.0.0/16 } return'],
  ],
  ['all addresses', [{ from: [{ ipBlock: { cidr: '0.0.0.0/0' } }] }], ['return']],
  ['no address of IPv6, which nobody has', [{ from: [{ ipBlock: { cidr: '::/0' } }] }], []],
])('lets in %s', (_, ingress, lines) => {
  const only = policy('web', { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'], ingress });

  const planned = chains(planFirewall(stateOf(only), 'node1'))['enter-10.244.1.2'];

  expect(planned).toEqual(['ip saddr 10.244.1.2 return', ...lines, REJECT]);
});

it.each([
  ['to a port anywhere', [{ ports: [{ port: 53, protocol: 'UDP' }] }], ['udp dport 53 return']],
  [
    'to pods',
    [{ to: [{ podSelector: { matchLabels: { app: 'far' } } }], ports: [{ port: 8443 }] }],
    ['ip daddr { 10.244.2.2 } tcp dport 8443 return'],
  ],
  [
    'to what its peers call so',
    [{ to: [{ podSelector: {} }], ports: [{ port: 'http' }] }],
    ['ip daddr 10.244.1.2 tcp dport 8080 return', 'ip daddr 10.244.2.2 tcp dport 80 return'],
  ],
  [
    'to what anybody calls so',
    [{ ports: [{ port: 'http' }] }],
    ['ip daddr 10.244.1.2 tcp dport 8080 return', 'ip daddr 10.244.2.2 tcp dport 80 return'],
  ],
])('lets out %s', (_, egress, lines) => {
  const only = policy('web', { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Egress'], egress });

  const planned = chains(planFirewall(stateOf(only), 'node1'));

  expect(planned['leave-10.244.1.2']).toEqual(['ip daddr 10.244.1.2 return', ...lines, REJECT]);
  expect(planned['enter']).toEqual([]);
});

it('adds up what several policies let in', () => {
  const podSelector = { matchLabels: { app: 'web' } };
  const policyTypes = ['Ingress'];
  const two = [1, 2].map((port) => policy(`p${port}`, { podSelector, policyTypes, ingress: [{ ports: [{ port }] }] }));

  const planned = chains(planFirewall(stateOf(...two), 'node1'))['enter-10.244.1.2'];

  expect(planned).toEqual(['ip saddr 10.244.1.2 return', 'tcp dport 1 return', 'tcp dport 2 return', REJECT]);
});

it('says the same whatever the order of objects, so that nothing is written anew for it', () => {
  const ingress = [{ from: [{ namespaceSelector: {} }] }];
  const two = ['b', 'a'].map((name) => policy(name, { podSelector: {}, policyTypes: ['Ingress', 'Egress'], ingress }));
  const expected = planFirewall(stateOf(...two), 'node1');

  fc.assert(
    fc.property(shuffled(PODS), shuffled(two), shuffled(NAMESPACES), (pods, policies, namespaces) => {
      expect(planFirewall({ pods, policies, namespaces }, 'node1')).toBe(expected);
    }),
  );
});

function shuffled<T>(values: readonly T[]): fc.Arbitrary<readonly T[]> {
  return fc.shuffledSubarray([...values], { minLength: values.length });
}

function stateOf(...policies: readonly NetworkPolicy[]): PolicyState {
  return { policies, pods: PODS, namespaces: NAMESPACES };
}

interface PodDraft {
  readonly nodeName?: string;
  readonly hostNetwork?: boolean;
  readonly phase?: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
}

function pod(key: string, podIP: string, draft: PodDraft = {}): Pod {
  const [namespaceName = '', name = ''] = key.split('/');
  const { nodeName = 'node1', hostNetwork = false, phase = 'Running', ports = [] } = draft;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: namespaceName, name, labels: { app: name } },
    spec: { nodeName, hostNetwork, containers: [{ ports }] },
    status: { phase, podIP },
  };
}

function namespace(name: string, labels: Readonly<Record<string, string>>): KubernetesObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
}

function policy(name: string, spec: NonNullable<NetworkPolicy['spec']>): NetworkPolicy {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name, namespace: 'shop' }, spec };
}

/** The lines of each chain. */
function chains(text: string): Readonly<Record<string, readonly string[]>> {
  const found = text.matchAll(/^ {2}chain (?<name>\S+) \{\n(?<lines>(?: {4}.*\n)*)/gm);
  return Object.fromEntries(
    Array.from(found, ({ groups }) => [
      groups?.['name'] ?? '',
      (groups?.['lines'] ?? '')
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ]),
  );
}
