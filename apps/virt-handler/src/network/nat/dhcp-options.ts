import { createHash } from 'node:crypto';

import type { DHCPOptions } from '@smalt/vm-api';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import { parseIpv4 } from './ipv4-range.ts';

/** What dnsmasq takes for plain text, whatever it stands next to. */
const PLAIN_TEXT = /^[A-Za-z0-9._/:+@~%=-]{1,200}$/;
const MOST_BYTES = 255;

/** What a guest is told by DHCP beside its address, under a tag that stands for just that. */
export interface DhcpOptionSet {
  readonly tag: string;
  readonly text: string;
}

/** Reads `dhcpOptions` of an interface; undefined when there are none. Throws `unsupported-network` with the field. */
export function dhcpOptionSet(options: DHCPOptions | undefined, field: string): DhcpOptionSet | undefined {
  if (options === undefined) return undefined;
  const { bootFileName, tftpServerName, ntpServers = [], privateOptions = [] } = options;
  const lines = [
    ...(bootFileName === undefined ? [] : [`option:bootfile-name,${plain(bootFileName, `${field}.bootFileName`)}`]),
    ...(tftpServerName === undefined ? [] : [`option:tftp-server,${plain(tftpServerName, `${field}.tftpServerName`)}`]),
    ...(ntpServers.length === 0 ? [] : [`option:ntp-server,${addresses(ntpServers, `${field}.ntpServers`)}`]),
    ...privateOptions.map(
      ({ option, value }, index) => `${option},${bytes(value, `${field}.privateOptions[${index}]`)}`,
    ),
  ];
  if (lines.length === 0) return undefined;
  // A tag whose meaning never changes: dnsmasq adds what it reads anew to what it has read before.
  const tag = `o${createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 24)}`;
  return { tag, text: lines.map((line) => `tag:${tag},${line}\n`).join('') };
}

function plain(text: string, field: string): string {
  if (PLAIN_TEXT.test(text)) return text;
  throw refused(field, 'letters, digits and ._/:+@~%=- only, 200 at most');
}

function addresses(list: readonly string[], field: string): string {
  if (list.every((address) => parseIpv4(address) !== undefined)) return list.join(',');
  throw refused(field, 'IPv4 addresses only');
}

/** As bytes, or dnsmasq would make numbers and addresses of what looks so. */
function bytes(text: string, field: string): string {
  const data = Buffer.from(text);
  if (data.length < 2 || data.length > MOST_BYTES) throw refused(field, `2 to ${MOST_BYTES} bytes`);
  return [...data].map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

function refused(field: string, rule: string): VirtHandlerError {
  return new VirtHandlerError('unsupported-network', `${field}: cannot be told to the guest: ${rule}`, { field });
}
