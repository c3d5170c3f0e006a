import { createHash } from 'node:crypto';

/** The names of so many hosts. */
export function hostNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `node${String(index + 1).padStart(5, '0')}`);
}

/** The token of a host: whoever knows the secret of a run can make it. */
export function tokenOf(secret: string, host: string): string {
  return createHash('sha256').update(`${secret}/${host}`).digest('base64url');
}

/** The file by which the service knows the hosts. */
export function tokensFileOf(secret: string, hosts: readonly string[]): string {
  const sha256 = (host: string): string => createHash('sha256').update(tokenOf(secret, host)).digest('hex');
  return JSON.stringify(hosts.map((node) => ({ node, sha256: sha256(node) })));
}

const UPTIME = '"bootId":"1c9a4b1e-0b57-4d7e-9d5b-5f9a4a3c2b1d","agentStartedAt":"2026-01-01T03:04:05.000Z"';
const DOMAIN = '{"uuid":"6f1c2a4e-7f6b-4a0a-9d4e-3d2c1b0a9f8e","name":"web-1","id":7}';

/** What a host tells in one batch: its uptime, and an event of an instance if there is one to tell. */
export function batchOf(host: string, epoch: string, sequence: number, hasEvent: boolean): string {
  const time = '"time":"2026-01-02T03:04:06.001Z"';
  const uptime = `{"sequence":${sequence},"kind":"uptime","uptimeSeconds":${86_400 + sequence},${UPTIME},"libvirt":"connected",${time}}`;
  const event = `,{"sequence":${sequence + 1},"kind":"lifecycle","domain":${DOMAIN},"event":"stopped","detail":"failed",${time}}`;
  const last = hasEvent ? sequence + 1 : sequence;
  const numbers = `"firstSequence":${sequence},"lastSequence":${last}`;
  const who = `"version":1,"node":"${host}","epoch":"${epoch}","agent":"${epoch}"`;
  return `{${who},${numbers},"records":[${uptime}${hasEvent ? event : ''}]}`;
}
