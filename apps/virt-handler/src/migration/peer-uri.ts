import { isIPv6 } from 'node:net';

import type { Hypervisor } from '@smalt/hypervisors';

import { VirtHandlerError } from '../virt-handler-error.ts';

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

/** Whether guests move in plain text by this template, and whoever reaches a libvirt may give it orders. */
export function isPlainUri(template: string): boolean {
  return /^[^:/]*\+tcp:/.test(template);
}
