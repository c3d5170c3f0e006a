import type { CloudInitNoCloudSource, Volume } from '@smalt/vm-api';

import { invalid, type Cause } from '../../cause.ts';

/** The object goes to every node that shows an interest; larger data belongs into a Secret. */
const MAX_BYTES = 2048;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

interface CloudInitData {
  readonly secretName: string;
  readonly base64: string;
  readonly plain: string;
}

/** Data for cloud-init is there, comes from one place each, can be read, and is not too large. */
export function validateCloudInit(volume: Volume, volumeField: string): readonly Cause[] {
  const kind = volume.cloudInitNoCloud === undefined ? 'cloudInitConfigDrive' : 'cloudInitNoCloud';
  const source = volume[kind];
  if (source === undefined) return [];
  const field = `${volumeField}.${kind}`;
  const [user, network] = [userDataOf(source), networkDataOf(source)];
  const isEmpty = sourceCount(user) + sourceCount(network) === 0;
  const emptyMessage = `${field} must have at least one userdatasource or one networkdatasource set.`;
  return [
    ...validateBase64(user, `${field}.userDataBase64`, kind),
    ...(sourceCount(user) > 1 ? [invalid(field, `${field} must have only one userdatasource set.`)] : []),
    ...validateSize(user, field, 'userdata', 'UserDataSecretRef'),
    ...validateBase64(network, `${field}.networkDataBase64`, kind),
    ...(sourceCount(network) > 1 ? [invalid(field, `${field} must have only one networkdata source set.`)] : []),
    ...validateSize(network, field, 'networkdata', 'NetworkDataSecretRef'),
    ...(isEmpty
      ? [invalid(field, emptyMessage, 'Set userData, userDataBase64 or secretRef, or one for networkData.')]
      : []),
  ];
}

function userDataOf({ secretRef, userDataBase64 = '', userData = '' }: CloudInitNoCloudSource): CloudInitData {
  return { secretName: secretRef?.name ?? '', base64: userDataBase64, plain: userData };
}

function networkDataOf(source: CloudInitNoCloudSource): CloudInitData {
  const { networkDataSecretRef, networkDataBase64 = '', networkData = '' } = source;
  return { secretName: networkDataSecretRef?.name ?? '', base64: networkDataBase64, plain: networkData };
}

function sourceCount({ secretName, base64, plain }: CloudInitData): number {
  return [secretName, base64, plain].filter((text) => text !== '').length;
}

function validateBase64({ base64 }: CloudInitData, field: string, kind: string): readonly Cause[] {
  if (BASE64.test(withoutLineBreaks(base64))) return [];
  const name = field.slice(field.lastIndexOf('.') + 1);
  return [invalid(field, `${field}.${kind}.${name} is not a valid base64 value.`)];
}

function validateSize(
  { base64, plain }: CloudInitData,
  field: string,
  words: string,
  instead: string,
): readonly Cause[] {
  const bytes = plain === '' ? Buffer.byteLength(withoutLineBreaks(base64), 'base64') : Buffer.byteLength(plain);
  if (bytes <= MAX_BYTES) return [];
  return [invalid(field, `${field} ${words} exceeds ${MAX_BYTES} byte limit. Should use ${instead} for larger data.`)];
}

// Tools wrap base64 text, and decoders skip the wrapping.
function withoutLineBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, '');
}
