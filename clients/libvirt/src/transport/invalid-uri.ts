import { LibvirtError } from '../libvirt-error.ts';

/** The error for a URI that cannot be followed; `what` names the part that is wrong and what would be right. */
export function invalidUri(what: string, options?: ErrorOptions): LibvirtError {
  return new LibvirtError('invalid-uri', `libvirt URI: ${what}`, options);
}
