import type { DomainVolume } from '@smalt/domain-xml';
import type { Volume } from '@smalt/vm-api';

import { isVolumeName, requireVolumeName } from './files/volume-name.ts';
import type { HostDiskPlaces } from './host-disk/host-disk-places.ts';
import { volumeError } from './volume-error.ts';
import type { InstanceVolumes, ReleaseRequest, VolumePlugin, VolumeRequest } from './volume-plugin.ts';
import { volumePlugins } from './volume-plugins.ts';

export interface InstanceVolumesDeps {
  /** Those of `volume-plugins.ts` unless told otherwise. */
  readonly plugins?: readonly VolumePlugin[] | undefined;
  readonly now?: (() => Date) | undefined;
  /** Nowhere unless told otherwise. */
  readonly hostDisks?: HostDiskPlaces | undefined;
}

const NOWHERE: HostDiskPlaces = { directories: [], stateDirectories: [] };

/** Prepares and releases all volumes of an instance, each by the plugin for its source. */
export function createInstanceVolumes(options: InstanceVolumesDeps = {}): InstanceVolumes {
  const { now = () => new Date(), hostDisks = NOWHERE } = options;
  const known = options.plugins ?? volumePlugins({ now, hostDisks });
  return {
    async prepare(request, signal) {
      const prepared: DomainVolume[] = [];
      for (const volume of request.instance.spec.volumes ?? []) {
        signal.throwIfAborted();
        const each: VolumeRequest = { ...request, volume };
        requireVolumeName(each);
        if (!comesLater(each)) prepared.push(await requirePlugin(known, each).prepare(each, signal));
      }
      return prepared;
    },
    async release(request, signal) {
      for (const volume of request.instance.spec.volumes ?? []) {
        const each: ReleaseRequest = { ...request, volume };
        // What is called otherwise was never prepared.
        if (isVolumeName(volume.name)) await findPlugin(known, volume)?.release?.(each, signal);
      }
    },
  };
}

/** A volume that is plugged in while the guest runs is not in its pod. */
function comesLater({ volume, sandbox }: VolumeRequest): boolean {
  const isPlugged = volume.persistentVolumeClaim?.hotpluggable === true || volume.dataVolume?.hotpluggable === true;
  return isPlugged && sandbox.volumes[volume.name] === undefined;
}

function requirePlugin(plugins: readonly VolumePlugin[], request: VolumeRequest): VolumePlugin {
  const plugin = findPlugin(plugins, request.volume);
  if (plugin) return plugin;
  const [source = 'name'] = sourcesOf(request.volume);
  const message = `this node cannot provide it; use one of ${plugins.flatMap(({ sources }) => sources).join(', ')}`;
  throw volumeError('unsupported-volume', request, source, { message });
}

function findPlugin(plugins: readonly VolumePlugin[], volume: Volume): VolumePlugin | undefined {
  const present = sourcesOf(volume);
  return plugins.find(({ sources }) => sources.some((source) => present.includes(source)));
}

function sourcesOf(volume: Volume): readonly string[] {
  return Object.entries(volume).flatMap(([field, value]) => (field === 'name' || value === undefined ? [] : [field]));
}
