import { labelSelectorFrom, matchesLabels, type KubernetesObject, type LabelSelectorObject } from '@smalt/kubernetes';

import type { NetworkPolicy, Pod, PolicyPeer, PolicyPort, PolicyRule } from './policy-objects.ts';

/** All that decides who reaches whom. */
export interface PolicyState {
  readonly policies: readonly NetworkPolicy[];
  readonly pods: readonly Pod[];
  readonly namespaces: readonly KubernetesObject[];
}

interface Direction {
  readonly name: 'enter' | 'leave';
  readonly type: 'Ingress' | 'Egress';
  /** Which address of a packet is that of the pod, and which that of its peer. */
  readonly own: 'daddr' | 'saddr';
  readonly other: 'saddr' | 'daddr';
}

const ENTER: Direction = { name: 'enter', type: 'Ingress', own: 'daddr', other: 'saddr' };
const LEAVE: Direction = { name: 'leave', type: 'Egress', own: 'saddr', other: 'daddr' };
const TABLE = 'ip bed-network-policies';

/**
 * What nft is told on a node: its own pods are reached, and reach others, as the policies say. What the node itself sends to its pods
 * always arrives. What is refused is told so by a word that no closed port says ("no route to host" instead of "connection refused").
 */
export function planFirewall(state: PolicyState, node: string): string {
  const own = state.pods.filter((pod) => isOnPodNetwork(pod) && pod.spec?.nodeName === node).toSorted(byAddress);
  const chains = [LEAVE, ENTER].flatMap((direction) => planDirection(state, own, direction));
  const known = '    ct state established,related accept';
  return [
    // Made and unmade, so that it is there to be replaced, in one step.
    `table ${TABLE}`,
    `delete table ${TABLE}`,
    `table ${TABLE} {`,
    ...chains,
    ...chain('forward', ['    type filter hook forward priority filter', known, '    jump leave', '    jump enter']),
    ...chain('input', ['    type filter hook input priority filter', known, '    jump leave']),
    '}',
    '',
  ].join('\n');
}

function planDirection(state: PolicyState, pods: readonly Pod[], direction: Direction): readonly string[] {
  const { name, own } = direction;
  const isolated = pods.flatMap((pod) => {
    const policies = policiesOf(state, pod, direction);
    return policies.length > 0 ? [{ pod, policies }] : [];
  });
  const ofPods = isolated.flatMap(({ pod, policies }) =>
    chain(`${name}-${addressOf(pod)}`, planPod(state, { pod, policies, direction })),
  );
  const targets = isolated.map(({ pod }) => `${addressOf(pod)} : jump ${name}-${addressOf(pod)}`);
  const lines = targets.length > 0 ? [`    ip ${own} vmap { ${targets.join(', ')} }`] : [];
  return [...ofPods, ...chain(name, lines)];
}

function chain(name: string, lines: readonly string[]): readonly string[] {
  return [`  chain ${name} {`, ...lines, '  }'];
}

function policiesOf({ policies }: PolicyState, pod: Pod, { type }: Direction): readonly NetworkPolicy[] {
  return policies
    .filter(
      ({ metadata, spec }) =>
        metadata.namespace === pod.metadata.namespace &&
        spec?.policyTypes?.includes(type) === true &&
        isSelected(spec.podSelector ?? {}, pod),
    )
    .toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
}

interface IsolatedPod {
  readonly pod: Pod;
  readonly policies: readonly NetworkPolicy[];
  readonly direction: Direction;
}

function planPod(state: PolicyState, isolated: IsolatedPod): readonly string[] {
  const { pod, policies, direction } = isolated;
  const allowed = policies.flatMap((policy) => {
    const rules = direction.type === 'Ingress' ? policy.spec?.ingress : policy.spec?.egress;
    const namespace = policy.metadata.namespace ?? '';
    return (rules ?? []).flatMap((rule) => planRule(state, rule, { pod, namespace, direction }));
  });
  // Nobody is kept from itself.
  const matches = [`ip ${direction.other} ${addressOf(pod)}`, ...new Set(allowed)];
  const returns = matches.map((match) => `    ${match === '' ? '' : `${match} `}return`);
  return [...returns, '    reject with icmp type admin-prohibited'];
}

interface RulePlace {
  readonly pod: Pod;
  /** Of the policy: a peer without a namespace is of that one. */
  readonly namespace: string;
  readonly direction: Direction;
}

/** What packets match that a rule lets through, each a part of a rule of nft; an empty one is matched by all. */
function planRule(state: PolicyState, rule: PolicyRule, place: RulePlace): readonly string[] {
  const { direction } = place;
  const peers = (direction.type === 'Ingress' ? rule.from : rule.to) ?? [];
  const ports: readonly (PolicyPort | undefined)[] = rule.ports?.length ? rule.ports : [undefined];
  return ports.flatMap((port) => {
    if (typeof port?.port === 'string') return planNamedPort(state, { port, name: port.port, peers }, place);
    const others = peers.length > 0 ? peers.flatMap((peer) => planPeer(state, peer, place)) : [''];
    return others.map((other) => joined(other, portMatch(port)));
  });
}

interface NamedPort {
  readonly port: PolicyPort;
  readonly name: string;
  readonly peers: readonly PolicyPeer[];
}

/** The name is that of a port of whoever is reached: the pod itself, or each of its peers. */
function planNamedPort(state: PolicyState, { port, name, peers }: NamedPort, place: RulePlace): readonly string[] {
  const { pod, direction } = place;
  if (direction.type === 'Ingress') {
    const others = peers.length > 0 ? peers.flatMap((peer) => planPeer(state, peer, place)) : [''];
    return numbersOf(pod, name, port).flatMap((number) =>
      others.map((other) => joined(other, portMatch({ ...port, port: number }))),
    );
  }
  const reached =
    peers.length > 0 ? peers.flatMap((peer) => podsOf(state, peer, place.namespace)) : podsOf(state, ANY, '');
  return reached.flatMap((each) =>
    numbersOf(each, name, port).map((number) =>
      joined(`ip daddr ${addressOf(each)}`, portMatch({ ...port, port: number })),
    ),
  );
}

const ANY: PolicyPeer = { namespaceSelector: {} };

function numbersOf(pod: Pod, name: string, { protocol = 'TCP' }: PolicyPort): readonly number[] {
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports
    .filter((port) => port.name === name && (port.protocol ?? 'TCP') === protocol)
    .map(({ containerPort }) => containerPort);
}

function portMatch(port: PolicyPort | undefined): string {
  if (port === undefined) return '';
  const protocol = (port.protocol ?? 'TCP').toLowerCase();
  if (port.port === undefined) return `meta l4proto ${protocol}`;
  const last = port.endPort === undefined ? '' : `-${port.endPort}`;
  return `${protocol} dport ${port.port}${last}`;
}

function planPeer(state: PolicyState, peer: PolicyPeer, { namespace, direction }: RulePlace): readonly string[] {
  const address = `ip ${direction.other}`;
  if (peer.ipBlock === undefined) {
    const addresses = podsOf(state, peer, namespace).map(addressOf);
    return addresses.length > 0 ? [`${address} { ${addresses.join(', ')} }`] : [];
  }
  const { cidr, except = [] } = peer.ipBlock;
  // There are no addresses of IPv6 here.
  if (cidr.includes(':')) return [];
  const but = except.length > 0 ? `${address} != { ${except.join(', ')} }` : '';
  return [joined(cidr === '0.0.0.0/0' ? '' : `${address} ${cidr}`, but)];
}

function podsOf({ pods, namespaces }: PolicyState, peer: PolicyPeer, namespace: string): readonly Pod[] {
  const { namespaceSelector, podSelector = {} } = peer;
  const meant = namespaces
    .filter((each) =>
      namespaceSelector === undefined ? each.metadata.name === namespace : isSelected(namespaceSelector, each),
    )
    .map(({ metadata }) => metadata.name);
  return pods
    .filter(
      (pod) => isOnPodNetwork(pod) && meant.includes(pod.metadata.namespace ?? '') && isSelected(podSelector, pod),
    )
    .toSorted(byAddress);
}

function isSelected(selector: LabelSelectorObject, { metadata }: KubernetesObject): boolean {
  return matchesLabels(labelSelectorFrom(selector), metadata.labels);
}

/** A pod that has ended no longer owns its address. */
function isOnPodNetwork({ spec, status }: Pod): boolean {
  const hasEnded = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return spec?.hostNetwork !== true && status?.podIP !== undefined && !hasEnded;
}

function addressOf({ status }: Pod): string {
  return status?.podIP ?? '';
}

function byAddress(a: Pod, b: Pod): number {
  return addressOf(a).localeCompare(addressOf(b));
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ');
}
