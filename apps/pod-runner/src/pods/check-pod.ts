import { isPodUid } from './pod-uid.ts';
import type { RunnerPod } from './pod.ts';

/** What is started for `smalt virt-launcher` in a pod. */
const LAUNCHER = ['smalt', 'virt-launcher'];
/** It becomes the name of a directory. */
const VOLUME = /^[\da-z](?:[\da-z-]{0,61}[\da-z])?$/;

/** Why a pod can never be run here, in a sentence; undefined when it can. */
export function refusalOf({ metadata, spec }: RunnerPod): string | undefined {
  const [container, ...others] = spec.containers;
  if (!isPodUid(metadata.uid ?? '')) return `metadata.uid: "${metadata.uid ?? ''}" is no uid`;
  if ((spec.initContainers ?? []).length > 0) {
    return 'spec.initContainers: this node runs launchers of virtual machines alone; leave them out';
  }
  if (container === undefined || others.length > 0) {
    return `spec.containers: this node runs pods of one container, not of ${spec.containers.length}`;
  }
  const command = container.command ?? [];
  if (command.length !== LAUNCHER.length || !LAUNCHER.every((word, index) => command[index] === word)) {
    const asked = command.length === 0 ? `the image ${container.image ?? ''}` : `"${command.join(' ')}"`;
    return (
      `spec.containers[0].command: this node has no container runtime and runs "${LAUNCHER.join(' ')}" alone, ` +
      `not ${asked}; give the pod to a node with a kubelet`
    );
  }
  const volume = (spec.volumes ?? []).find(({ name }) => !VOLUME.test(name));
  return volume === undefined ? undefined : `spec.volumes: "${volume.name}" is no name of a volume`;
}
