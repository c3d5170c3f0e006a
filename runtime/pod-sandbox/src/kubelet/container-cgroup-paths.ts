/** What the cgroup of a container is named by. */
export interface ContainerNames {
  readonly podUid: string;
  readonly qosClass: 'Guaranteed' | 'Burstable' | 'BestEffort';
  /** Without the name of its runtime. */
  readonly containerId: string;
}

/** The directories that hold the cgroups of all pods, for either way in which a kubelet makes them. */
export const PODS_CGROUPS: readonly string[] = ['kubepods', 'kubepods.slice'];

const CONTAINER_ID = /^[a-z][a-z0-9.-]*:\/\/([0-9a-f]{32,64})$/u;
const POD_UID = /^[0-9A-Za-z-]{1,64}$/u;

/** The id of a container by what the status of its pod says; undefined before it is made, and for what is no id. */
export function parseContainerId(text: string | undefined): string | undefined {
  return CONTAINER_ID.exec(text ?? '')?.[1];
}

/** Whether a text can be the uid of a pod, and nothing that leads elsewhere as part of a path. */
export function isPodUid(text: string): boolean {
  return POD_UID.test(text);
}

/**
 * Where the cgroup of a container may be below the cgroup that the kubelet was told to stay in: kubelets make them as
 * directories or by systemd, and runtimes name them each in its own way.
 */
export function containerCgroupPaths(names: ContainerNames): readonly string[] {
  return [...directoryPaths(names), ...systemdPaths(names)];
}

function directoryPaths({ podUid, qosClass, containerId }: ContainerNames): readonly string[] {
  const pod = `/kubepods${isGuaranteed(qosClass) ? '' : `/${qosClass.toLowerCase()}`}/pod${podUid}`;
  return [containerId, `crio-${containerId}`].map((name) => `${pod}/${name}`);
}

function systemdPaths({ podUid, qosClass, containerId }: ContainerNames): readonly string[] {
  // A dash in the name of a slice leads one level down, so that of a uid is written otherwise.
  const uid = podUid.replaceAll('-', '_');
  const ofClass = isGuaranteed(qosClass) ? 'kubepods' : `kubepods-${qosClass.toLowerCase()}`;
  const above = isGuaranteed(qosClass) ? '/kubepods.slice' : `/kubepods.slice/${ofClass}.slice`;
  const pod = `${above}/${ofClass}-pod${uid}.slice`;
  const scopes = ['cri-containerd', 'crio', 'docker'].map((runtime) => `${pod}/${runtime}-${containerId}.scope`);
  // crun has the processes of a container one level below what systemd made.
  return scopes.flatMap((scope) => [`${scope}/container`, scope]);
}

function isGuaranteed(qosClass: ContainerNames['qosClass']): boolean {
  return qosClass === 'Guaranteed';
}
