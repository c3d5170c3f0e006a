import type { SandboxVolume } from '@smalt/pod-sandbox';

import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';

/** Where a volume of the pod lies. Throws `volume-not-ready` when the pod has none of that name. */
export function sandboxVolume(request: VolumeRequest, subfield: string, podVolume?: string): SandboxVolume {
  const name = podVolume ?? request.volume.name;
  const found = request.sandbox.volumes[name];
  if (found) return found;
  const { namespace, name: pod } = request.sandbox;
  const problem = request.sandbox.problems?.[name];
  const message =
    problem === undefined
      ? `the pod ${namespace}/${pod} has no volume ${name} on this node; see the events of the pod`
      : `the volume ${name} of the pod ${namespace}/${pod}: ${problem}`;
  throw volumeError('volume-not-ready', request, subfield, { message });
}

/** The directory of a volume of the pod. Throws `bad-volume` for a block device. */
export function sandboxDirectory(request: VolumeRequest, subfield: string, podVolume?: string): string {
  const { kind, path } = sandboxVolume(request, subfield, podVolume);
  if (kind === 'directory') return path;
  throw volumeError('bad-volume', request, subfield, { message: 'it is a block device where files are needed' });
}
