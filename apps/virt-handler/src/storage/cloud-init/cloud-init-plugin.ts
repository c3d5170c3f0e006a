import { prepareMedium } from '../configuration/prepare-medium.ts';
import type { DirectIo } from '../files/direct-io.ts';
import type { VolumePlugin } from '../volume-plugin.ts';
import { configDriveFiles, LABELS, noCloudFiles } from './cloud-init-files.ts';
import { readCloudInitData, type CloudInitKind } from './read-cloud-init-data.ts';

/** Media for cloud-init. They hold secrets, so nobody but root and the guest's process can read them. */
export function cloudInitPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['cloudInitNoCloud', 'cloudInitConfigDrive'],
    prepare(request) {
      const kind: CloudInitKind = request.volume.cloudInitNoCloud ? 'cloudInitNoCloud' : 'cloudInitConfigDrive';
      return prepareMedium(directIo, request, async () => {
        const data = await readCloudInitData(request, kind);
        const files =
          kind === 'cloudInitNoCloud' ? noCloudFiles(request.instance, data) : configDriveFiles(request.instance, data);
        return { label: LABELS[kind], files, subfield: kind };
      });
    },
  };
}
