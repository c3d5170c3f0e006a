import type { ImageFile } from '@smalt/disk-image';

import type { DirectIo } from '../files/direct-io.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumePlugin, VolumeRequest } from '../volume-plugin.ts';
import { downwardField } from './downward-fields.ts';
import { prepareMedium } from './prepare-medium.ts';

/** Fields of the instance as files on a medium. */
export function downwardApiPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['downwardAPI'],
    prepare: (request) =>
      prepareMedium(directIo, request, async () => ({
        label: request.volume.downwardAPI?.volumeLabel || 'cfgdata',
        files: downwardFiles(request),
        subfield: 'downwardAPI.fields',
      })),
  };
}

function downwardFiles(request: VolumeRequest): readonly ImageFile[] {
  return (request.volume.downwardAPI?.fields ?? []).map(({ path, fieldRef }, index) => {
    const value = fieldRef && downwardField(request.instance, fieldRef.fieldPath);
    if (value !== undefined) return { path, content: Buffer.from(value) };
    const message = 'name the name, namespace, uid, labels or annotations of the metadata; nothing else can be shown';
    throw volumeError('unsupported-volume', request, `downwardAPI.fields[${index}].fieldRef`, { message });
  });
}
