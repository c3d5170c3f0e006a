// The numbers of Kubernetes, which are public in its APIService objects: clients look up a short name such as `events`
// in this order.
const GROUPS: ReadonlyMap<string, number> = new Map([
  ['', 18_000],
  ['apiregistration.k8s.io', 20_000],
  ['apps', 17_800],
  ['events.k8s.io', 17_750],
  ['authentication.k8s.io', 17_700],
  ['authorization.k8s.io', 17_600],
  ['autoscaling', 17_500],
  ['batch', 17_400],
  ['certificates.k8s.io', 17_300],
  ['networking.k8s.io', 17_200],
  ['policy', 17_100],
  ['rbac.authorization.k8s.io', 17_000],
  ['storage.k8s.io', 16_800],
  ['apiextensions.k8s.io', 16_700],
  ['admissionregistration.k8s.io', 16_700],
  ['scheduling.k8s.io', 16_600],
  ['coordination.k8s.io', 16_500],
  ['node.k8s.io', 16_300],
  ['discovery.k8s.io', 16_200],
  ['flowcontrol.apiserver.k8s.io', 16_100],
  ['resource.k8s.io', 16_200],
]);
const CUSTOM_GROUP = 1_000;
const VERSION = /^v(\d+)(?:(alpha|beta)(\d+))?$/;

/** The priority of a group: that of Kubernetes for its own, the same low one for all others. */
export function groupPriority(group: string): number {
  return GROUPS.get(group) ?? CUSTOM_GROUP;
}

/** Orders versions as Kubernetes does: stable before beta before alpha, later before earlier, others last by name. */
export function compareVersions(left: string, right: string): number {
  const first = rank(left);
  const second = rank(right);
  if (first === undefined || second === undefined) {
    if (first === second) return compareText(left, right);
    return first === undefined ? 1 : -1;
  }
  for (const [index, value] of first.entries()) {
    const difference = (second[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  return 0;
}

function rank(version: string): readonly number[] | undefined {
  const match = VERSION.exec(version);
  if (match === null) return undefined;
  const stage = match[2] === undefined ? 2 : Number(match[2] === 'beta');
  return [stage, Number(match[1]), Number(match[3] ?? 0)];
}

/** Orders texts by their code units, as Go does for names of the API. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
