import type { VirtualMachineInstanceSpec, Volume } from '@smalt/vm-api';

/** Images whose tag may move are always asked for anew, others once. */
export function defaultPullPolicies(spec: VirtualMachineInstanceSpec): VirtualMachineInstanceSpec {
  return spec.volumes === undefined ? spec : { ...spec, volumes: spec.volumes.map(withPullPolicy) };
}

function withPullPolicy(volume: Volume): Volume {
  const { containerDisk } = volume;
  if (containerDisk === undefined) return volume;
  if (containerDisk.imagePullPolicy !== undefined && containerDisk.imagePullPolicy !== '') return volume;
  return { ...volume, containerDisk: { ...containerDisk, imagePullPolicy: pullPolicyOf(containerDisk.image) } };
}

// A port in the name of the registry counts as a tag here; existing clusters treat such images so.
function pullPolicyOf(image: string): string {
  return image.endsWith(':latest') || !/[:@]/.test(image) ? 'Always' : 'IfNotPresent';
}
