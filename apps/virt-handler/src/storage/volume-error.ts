import { VirtHandlerError, type VirtHandlerErrorCode } from '../virt-handler-error.ts';
import type { ReleaseRequest } from './volume-plugin.ts';

/** An error of a volume, with the field that it comes from, such as `spec.volumes[0].hostDisk.path`. */
export function volumeError(
  code: VirtHandlerErrorCode,
  { instance, volume }: Pick<ReleaseRequest, 'instance' | 'volume'>,
  subfield: string,
  { message, cause }: { readonly message: string; readonly cause?: unknown },
): VirtHandlerError {
  const index = instance.spec.volumes?.findIndex(({ name }) => name === volume.name) ?? -1;
  const field = `spec.volumes[${index}].${subfield}`;
  return new VirtHandlerError(code, `${field}: ${message}`, { field, cause });
}
