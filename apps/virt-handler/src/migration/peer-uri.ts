import { isIPv6 } from 'node:net';

import type { Hypervisor } from '@smalt/hypervisors';

import { VirtHandlerError } from '../virt-handler-error.ts';
import type { MigrationOptions } from '../virt-handler-options.ts';

/** `{address}` is the target, `{driver}` what libvirt calls the hypervisor, such as `qemu`. */
export const DEFAULT_PEER_URI = '{driver}+tls://{address}/system';

/** The URI of the libvirt of another node. Throws `bad-setting` when the template has no place for the address. */
export function peerUri(template: string, hypervisor: Pick<Hypervisor, 'libvirt'>, address: string): string {
  if (!template.includes('{address}')) {
    const message = `migration.uri: "${template}" does not say where the address of the target goes; write {address}`;
    throw new VirtHandlerError('bad-setting', message, { field: 'migration.uri' });
  }
  const driver = new URL(hypervisor.libvirt.uri).protocol.replace(/[+:].*$/u, '');
  const host = isIPv6(address) ? `[${address}]` : address;
  return template.replaceAll('{driver}', driver).replaceAll('{address}', host);
}

/** What there is to say where guests move in plain text, and whoever reaches a libvirt may give it orders. */
export function plainMigrationWarning({ peerUri: template, isWalled }: MigrationOptions): string | undefined {
  if (isWalled === true || !/^[^:/]*\+tcp:/.test(template ?? DEFAULT_PEER_URI)) return undefined;
  return 'migration.uri is plain TCP: whoever reaches the port of libvirt on a node is root there, and reads the memory of every guest that moves; use +tls, in the chart libvirt.transport: tls';
}
