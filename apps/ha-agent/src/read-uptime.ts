import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { HaAgentError } from './ha-agent-error.ts';

export interface HostUptime {
  readonly uptimeSeconds: number;
  readonly bootId: string;
}

/** How long the host is up and which boot that is, as the kernel counts: nobody can set that clock. */
export async function readUptime(procDirectory: string): Promise<HostUptime> {
  const path = join(procDirectory, 'uptime');
  const [uptime, bootId] = await Promise.all([
    readFile(path, 'utf8'),
    readFile(join(procDirectory, 'sys/kernel/random/boot_id'), 'utf8'),
  ]);
  const uptimeSeconds = Number(/^\d+(\.\d+)?/.exec(uptime)?.[0] ?? Number.NaN);
  if (Number.isNaN(uptimeSeconds)) throw new HaAgentError('unreadable-file', `${path} does not begin with a number`);
  return { uptimeSeconds, bootId: bootId.trim() };
}
