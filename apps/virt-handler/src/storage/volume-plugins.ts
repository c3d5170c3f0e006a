import { claimPlugin } from './claim/claim-plugin.ts';
import { ephemeralClaimPlugin } from './claim/ephemeral-claim-plugin.ts';
import { cloudInitPlugin } from './cloud-init/cloud-init-plugin.ts';
import { entriesPlugin, sysprepPlugin } from './configuration/configuration-plugins.ts';
import { downwardApiPlugin } from './configuration/downward-api-plugin.ts';
import { containerDiskPlugin } from './container-disk/container-disk-plugin.ts';
import { downwardMetricsPlugin } from './downward-metrics/downward-metrics-plugin.ts';
import { emptyDiskPlugin } from './empty-disk/empty-disk-plugin.ts';
import { DirectIo } from './files/direct-io.ts';
import { hostDiskPlugin } from './host-disk/host-disk-plugin.ts';
import type { HostDiskPlaces } from './host-disk/host-disk-places.ts';
import type { VolumePlugin } from './volume-plugin.ts';

export interface PluginOptions {
  readonly now: () => Date;
  readonly hostDisks: HostDiskPlaces;
}

/** The plugins that there are. A new one is a folder and a line here. */
export function volumePlugins({ now, hostDisks }: PluginOptions): readonly VolumePlugin[] {
  const directIo = new DirectIo();
  return [
    containerDiskPlugin(directIo),
    cloudInitPlugin(directIo),
    claimPlugin(directIo),
    ephemeralClaimPlugin(directIo),
    emptyDiskPlugin(directIo),
    hostDiskPlugin(directIo, hostDisks),
    entriesPlugin(directIo),
    sysprepPlugin(directIo),
    downwardApiPlugin(directIo),
    downwardMetricsPlugin(directIo, now),
  ];
}
