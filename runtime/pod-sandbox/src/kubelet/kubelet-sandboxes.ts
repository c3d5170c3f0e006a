import { join } from 'node:path';

import { openCgroups, type Cgroups } from '../cgroup/cgroups.ts';
import { PodSandboxError } from '../pod-sandbox-error.ts';
import type { PodSandbox } from '../pod-sandbox.ts';
import { isProcessRunning } from '../process/sandbox-process.ts';
import { isPodUid, parseContainerId, type ContainerNames } from './container-cgroup-paths.ts';
import {
  ContainerCgroups,
  moveIntoContainer,
  processorsOfContainer,
  type ContainerCgroup,
} from './container-cgroup.ts';
import { findContainerProcess } from './container-process.ts';
import type { KubeletPod } from './kubelet-pod.ts';
import { locateVolumes } from './locate-volumes.ts';
import { ownProcessors } from './own-processors.ts';

/** The pods of this node, as the API shows them. */
export interface KubeletPods {
  find(podUid: string, signal: AbortSignal): Promise<KubeletPod | undefined>;
}

/** More than one node carries. What is forgotten is looked for again. */
const MOST_KNOWN = 2_000;

interface KnownSandbox {
  readonly sandbox: PodSandbox;
  readonly containerId: string;
  readonly cgroup: ContainerCgroup;
}

/**
 * The sandboxes of a node whose pods a kubelet runs. Nobody writes them down there: they are found by the pod in the API and
 * by what the kernel tells of its container.
 */
export class KubeletSandboxes {
  readonly #pods: KubeletPods;
  readonly #containers: ContainerCgroups;
  /** By the uid of the pod. */
  readonly #known = new Map<string, KnownSandbox>();

  constructor(pods: KubeletPods, cgroups: Cgroups) {
    this.#pods = pods;
    this.#containers = new ContainerCgroups(cgroups);
  }

  /** The sandbox of a pod; undefined as long as its launcher does not run, and as soon as it has ended. */
  async find(podUid: string, signal: AbortSignal): Promise<PodSandbox | undefined> {
    return (await this.#look(podUid, signal))?.sandbox;
  }

  /**
   * Moves processes, with all their threads, into the cgroup of the launcher's container: its limits hold for them from then
   * on. Throws `process-gone` when one of them has ended and `cgroup-gone` when the container has.
   */
  async moveToGuestCgroup(sandbox: PodSandbox, processIds: readonly number[], signal: AbortSignal): Promise<void> {
    if (sandbox.guestCgroup === undefined) return;
    const found = await this.#look(sandbox.podUid, signal);
    if (found?.sandbox.guestCgroup !== sandbox.guestCgroup) {
      const name = `${sandbox.namespace}/${sandbox.name}`;
      throw new PodSandboxError('cgroup-gone', `the launcher of the pod ${name} has ended`);
    }
    await moveIntoContainer(found.cgroup, processIds, signal);
  }

  async #look(podUid: string, signal: AbortSignal): Promise<KnownSandbox | undefined> {
    const pod = isPodUid(podUid) ? await this.#pods.find(podUid, signal) : undefined;
    // Whoever asks by a uid must not get another pod of the same name.
    const names = pod?.metadata.uid === podUid ? namesOf(pod, podUid) : undefined;
    const before = this.#known.get(podUid);
    if (names !== undefined && before?.containerId === names.containerId && (await isLive(before))) return before;
    this.#known.delete(podUid);
    const found =
      pod === undefined || names === undefined ? undefined : await lookAtContainer(this.#containers, pod, names);
    if (found !== undefined) this.#keep(found);
    return found;
  }

  #keep(found: KnownSandbox): void {
    // What cannot be reached yet is looked for again.
    if (found.sandbox.problems !== undefined) return;
    const [oldest] = this.#known.keys();
    if (this.#known.size >= MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(found.sandbox.podUid, found);
  }
}

/** Opens the sandboxes of the kubelet of this machine. Throws `no-hierarchy` where there are no cgroups. */
export async function openKubeletSandboxes(pods: KubeletPods): Promise<KubeletSandboxes> {
  return new KubeletSandboxes(pods, await openCgroups());
}

async function lookAtContainer(
  containers: ContainerCgroups,
  pod: KubeletPod,
  names: ContainerNames,
): Promise<KnownSandbox | undefined> {
  const { podUid, containerId, qosClass } = names;
  const cgroup = await containers.find(names);
  if (cgroup === undefined) return undefined;
  const { path, counting } = cgroup;
  const launcher = await findContainerProcess(join(counting.mountPoint, path), path);
  if (launcher === undefined) return undefined;
  const { volumes, problems } = await locateVolumes(pod, launcher);
  const processors = ownProcessors(pod.spec.containers[0], qosClass, await processorsOfContainer(cgroup));
  // What was read of a process that has ended meanwhile may be that of another one.
  if (!(await isProcessRunning(launcher))) return undefined;
  const sandbox: PodSandbox = {
    podUid,
    namespace: pod.metadata.namespace ?? 'default',
    name: pod.metadata.name,
    launcher,
    guestCgroup: `${path}/guest`,
    ...(processors && { processors }),
    // With the second version the container runtime has its rules for devices there, in a program of the kernel.
    ...(counting.version === 2 && { hasDeviceRules: true }),
    volumes,
    ...(Object.keys(problems).length > 0 && { problems }),
  };
  return { sandbox, containerId, cgroup };
}

/** The first container is the launcher. Undefined before it was made. */
function namesOf({ spec, status }: KubeletPod, podUid: string): ContainerNames | undefined {
  const name = spec.containers[0]?.name;
  const containerId = parseContainerId(status?.containerStatuses?.find((each) => each.name === name)?.containerID);
  return containerId === undefined ? undefined : { podUid, containerId, qosClass: qosClassOf(status?.qosClass) };
}

function qosClassOf(text: string | undefined): ContainerNames['qosClass'] {
  return text === 'Guaranteed' || text === 'Burstable' ? text : 'BestEffort';
}

async function isLive({ sandbox: { launcher } }: KnownSandbox): Promise<boolean> {
  return launcher !== undefined && (await isProcessRunning(launcher));
}
