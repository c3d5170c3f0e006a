import type { KeyMaterial } from './key-material.ts';

/** A file below the PKI directory, where libvirt and QEMU look for it. */
export interface PkiFile {
  /** Relative to the PKI directory; empty for none. */
  readonly directory: string;
  readonly name: string;
  readonly content: keyof KeyMaterial;
  /** Whether a guest's process opens it, under the account of guests. */
  readonly isForGuests: boolean;
}

/** A symbolic link to a file beside it. */
export interface PkiLink {
  readonly directory: string;
  readonly name: string;
  readonly target: string;
}

/** In the order they are made in. */
export const PKI_DIRECTORIES: readonly string[] = ['CA', 'libvirt', 'libvirt/private', 'qemu', 'ch'];

/**
 * In the order they are put in place: authorities first, so that nobody is shown a certificate that cannot be checked,
 * then each key just before its certificate.
 */
export const PKI_FILES: readonly PkiFile[] = [
  file('CA', 'cacert.pem', 'authority'),
  file('qemu', 'ca-cert.pem', 'authority'),
  file('ch', 'ca-cert.pem', 'authority'),
  file('libvirt/private', 'serverkey.pem', 'key'),
  file('libvirt', 'servercert.pem', 'certificate'),
  file('qemu', 'server-key.pem', 'key'),
  file('qemu', 'server-cert.pem', 'certificate'),
  file('ch', 'server-key.pem', 'key'),
  file('ch', 'server-cert.pem', 'certificate'),
];

/** The names that clients look for: a host shows the same certificate to whom it connects. */
export const PKI_LINKS: readonly PkiLink[] = [
  { directory: 'libvirt', name: 'clientcert.pem', target: 'servercert.pem' },
  { directory: 'libvirt/private', name: 'clientkey.pem', target: 'serverkey.pem' },
  { directory: 'qemu', name: 'client-cert.pem', target: 'server-cert.pem' },
  { directory: 'qemu', name: 'client-key.pem', target: 'server-key.pem' },
  { directory: 'ch', name: 'client-cert.pem', target: 'server-cert.pem' },
  { directory: 'ch', name: 'client-key.pem', target: 'server-key.pem' },
];

/** Keys are for their owner alone, the rest is public. */
export function modeOf({ content }: Pick<PkiFile, 'content'>): number {
  return content === 'key' ? 0o600 : 0o644;
}

function file(directory: string, name: string, content: keyof KeyMaterial): PkiFile {
  return { directory, name, content, isForGuests: directory === 'qemu' || directory === 'ch' };
}
