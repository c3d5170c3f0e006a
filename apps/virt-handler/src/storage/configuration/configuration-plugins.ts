import type { ImageFile } from '@smalt/disk-image';
import type { DomainVolume } from '@smalt/domain-xml';

import type { DirectIo } from '../files/direct-io.ts';
import { isSharedDirectory } from '../files/mounts-volumes.ts';
import { ensureSymbolicLink } from '../files/ensure-file.ts';
import { sandboxDirectory } from '../files/sandbox-volume.ts';
import { hideVolume, showVolume } from '../files/show-volume.ts';
import { volumeFile } from '../files/volume-files.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumePlugin, VolumeRequest } from '../volume-plugin.ts';
import { prepareMedium } from './prepare-medium.ts';
import { readEntries } from './read-entries.ts';

/** How a guest finds a medium of ours that was given no label. */
const DEFAULT_LABEL = 'cfgdata';
const SYSPREP_LABEL = 'unattendCfg';
const ANSWER_FILES = ['unattend.xml', 'autounattend.xml'];

/** ConfigMaps, Secrets and the token of a service account, as media of files or as shared directories. */
export function entriesPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['configMap', 'secret', 'serviceAccount'],
    release: hideVolume,
    async prepare(request, signal) {
      const { configMap, secret } = request.volume;
      const subfield = configMap
        ? 'configMap.name'
        : secret
          ? 'secret.secretName'
          : 'serviceAccount.serviceAccountName';
      if (isSharedDirectory(request)) return await sharedEntries(request, subfield, signal);
      const label = configMap?.volumeLabel || secret?.volumeLabel || DEFAULT_LABEL;
      return prepareMedium(directIo, request, async () => ({
        label,
        files: await readEntries(request, subfield),
        subfield,
      }));
    },
  };
}

/** The kubelet goes by links in this directory, and removes as root what they lead to: no guest may write there. */
async function sharedEntries(request: VolumeRequest, subfield: string, signal: AbortSignal): Promise<DomainVolume> {
  sandboxDirectory(request, subfield);
  const shown = await showVolume(request, subfield, signal, { isReadOnly: true });
  const path = volumeFile(request, 'directory');
  await ensureSymbolicLink(shown.path, path);
  const source = { kind: 'directory', path, isMountedReadOnly: true } as const;
  return { name: request.volume.name, source, format: 'raw', supportsDirectIo: false, isReadOnly: true };
}

/** Answer files for the setup of Windows. */
export function sysprepPlugin(directIo: DirectIo): VolumePlugin {
  return {
    sources: ['sysprep'],
    prepare(request) {
      const subfield = request.volume.sysprep?.secret ? 'sysprep.secret.name' : 'sysprep.configMap.name';
      return prepareMedium(directIo, request, async () => ({
        label: SYSPREP_LABEL,
        files: requireAnswers(request, subfield, await readEntries(request, subfield)),
        subfield,
      }));
    },
  };
}

function requireAnswers(request: VolumeRequest, subfield: string, files: readonly ImageFile[]): readonly ImageFile[] {
  if (files.some(({ path }) => ANSWER_FILES.includes(path.toLowerCase()))) return files;
  const message = `it has no entry ${ANSWER_FILES.join(' or ')}, without which Windows does not take it; add one`;
  throw volumeError('bad-volume', request, subfield, { message });
}
