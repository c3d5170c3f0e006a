import type { CloudInitNoCloudSource } from '@smalt/vm-api';

import { readEntries } from '../configuration/read-entries.ts';
import { volumeError } from '../volume-error.ts';
import type { VolumeRequest } from '../volume-plugin.ts';
import type { CloudInitData } from './cloud-init-files.ts';

export type CloudInitKind = 'cloudInitNoCloud' | 'cloudInitConfigDrive';

/** Where the keys of a Secret's entry may stand. */
const USER_DATA_KEYS = ['userdata', 'userData'];
const NETWORK_DATA_KEYS = ['networkdata', 'networkData'];

/** Collects what a guest is told, from the instance and from the Secrets that its pod has. No value gets into a message. */
export async function readCloudInitData(request: VolumeRequest, kind: CloudInitKind): Promise<CloudInitData> {
  const source = request.volume[kind] ?? {};
  return {
    userData: await read(request, {
      text: source.userData,
      base64: source.userDataBase64,
      secret: secretOf(request, source.secretRef, {
        subfield: `${kind}.secretRef`,
        keys: USER_DATA_KEYS,
        suffix: 'udata',
      }),
      subfield: `${kind}.userDataBase64`,
    }),
    networkData: await read(request, {
      text: source.networkData,
      base64: source.networkDataBase64,
      secret: secretOf(request, source.networkDataSecretRef, {
        subfield: `${kind}.networkDataSecretRef`,
        keys: NETWORK_DATA_KEYS,
        suffix: 'ndata',
      }),
      subfield: `${kind}.networkDataBase64`,
    }),
    publicKeys: await readPublicKeys(request, kind),
  };
}

interface DataPlaces {
  readonly text: string | undefined;
  readonly base64: string | undefined;
  readonly secret: (() => Promise<Uint8Array>) | undefined;
  readonly subfield: string;
}

async function read(request: VolumeRequest, places: DataPlaces): Promise<Uint8Array | undefined> {
  const { text, base64, secret, subfield } = places;
  if (text !== undefined) return Buffer.from(text);
  if (base64 === undefined) return secret?.();
  if (/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(base64)) return Buffer.from(base64, 'base64');
  throw volumeError('bad-volume', request, subfield, { message: 'it is not in base64; encode it anew' });
}

function secretOf(
  request: VolumeRequest,
  reference: CloudInitNoCloudSource['secretRef'],
  { subfield, keys, suffix }: { readonly subfield: string; readonly keys: readonly string[]; readonly suffix: string },
): (() => Promise<Uint8Array>) | undefined {
  if (!reference) return undefined;
  return async () => {
    const entries = await readEntries(request, subfield, `${request.volume.name}-${suffix}`);
    const found = entries.find(({ path }) => keys.includes(path));
    if (found) return found.content;
    const message = `the Secret ${reference.name} has no entry ${keys[0]}; add one`;
    throw volumeError('bad-volume', request, subfield, { message });
  };
}

/** The keys of access credentials that come this way, one in each line of each entry. */
async function readPublicKeys(request: VolumeRequest, kind: CloudInitKind): Promise<readonly string[]> {
  const way = kind === 'cloudInitNoCloud' ? 'noCloud' : 'configDrive';
  const keys: string[] = [];
  for (const [index, { sshPublicKey }] of (request.instance.spec.accessCredentials ?? []).entries()) {
    if (sshPublicKey?.propagationMethod[way] === undefined) continue;
    const entries = await readEntries(request, kind, `access-credential-${index}`);
    const lines = entries.flatMap(({ content }) => Buffer.from(content).toString('utf8').split('\n'));
    keys.push(...lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#')));
  }
  return keys;
}
