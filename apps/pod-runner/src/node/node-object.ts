import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

type Quantities = Readonly<Record<string, string>>;

/** core/v1 Node, as far as a runner reads and writes it. */
export interface RunnerNode extends KubernetesObject {
  readonly status?: {
    readonly capacity?: Readonly<Record<string, number | string>>;
    readonly allocatable?: Readonly<Record<string, number | string>>;
    readonly conditions?: readonly NodeCondition[];
  };
}

interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
}

export const nodeKind: KindReference<RunnerNode> = {
  group: '',
  version: 'v1',
  kind: 'Node',
  plural: 'nodes',
  isNamespaced: false,
};

/** What a runner tells of its node. */
export interface NodeFacts {
  readonly nodeName: string;
  readonly address: string;
  readonly architecture: string;
  readonly kernelVersion: string;
  readonly machineId: string;
  readonly bootId: string;
  readonly osImage: string;
  readonly capacity: Quantities;
  readonly allocatable: Quantities;
}

const VERSION = 'v1.35.0+smalt';

/** The labels of a node, as kubelets set them. */
export function nodeLabels({ nodeName, architecture }: NodeFacts): Readonly<Record<string, string>> {
  return {
    'kubernetes.io/hostname': nodeName,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': architecture,
  };
}

/** The status of a node that is well. Only fields that are the runner's: devices and the rest are others'. */
export function nodeStatus(
  facts: NodeFacts,
  current: RunnerNode | undefined,
  now: Date,
): Readonly<Record<string, unknown>> {
  const { address, nodeName, kernelVersion, machineId, bootId, osImage, architecture } = facts;
  return {
    capacity: facts.capacity,
    allocatable: facts.allocatable,
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: nodeName },
    ],
    conditions: conditions(current, now),
    nodeInfo: {
      machineID: machineId,
      systemUUID: machineId,
      bootID: bootId,
      kernelVersion,
      osImage,
      containerRuntimeVersion: 'smalt://0.1.0',
      kubeletVersion: VERSION,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture,
    },
  };
}

/** Kubernetes' word for an architecture. */
export function architectureName(nodeArchitecture: string): string {
  const names: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' };
  return names[nodeArchitecture] ?? nodeArchitecture;
}

function conditions(current: RunnerNode | undefined, now: Date): readonly NodeCondition[] {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const wanted = [
    { type: 'MemoryPressure', status: 'False', reason: 'RunnerHasSufficientMemory', message: 'there is memory left' },
    { type: 'DiskPressure', status: 'False', reason: 'RunnerHasNoDiskPressure', message: 'there is disk space left' },
    { type: 'PIDPressure', status: 'False', reason: 'RunnerHasSufficientPID', message: 'there are process ids left' },
    { type: 'Ready', status: 'True', reason: 'RunnerReady', message: 'the pod runner is at work' },
  ];
  return wanted.map((condition) => {
    const before = current?.status?.conditions?.find(({ type }) => type === condition.type);
    const since = before?.status === condition.status ? before.lastTransitionTime : undefined;
    return { ...condition, lastHeartbeatTime: time, lastTransitionTime: since ?? time };
  });
}
