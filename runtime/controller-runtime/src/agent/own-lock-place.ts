import { join } from 'node:path';

import { messageOf, type Logger } from '@smalt/service-runtime';

import type { LockPlace } from './node-claim.ts';

/** The lock of an agent in a directory of its own kind, without which it goes on with a warning: the Lease is there still. */
export function ownLockPlace(directory: string, nodeName: string, logger: Logger): LockPlace {
  // The node is named, as a directory may be that of several.
  const path = join(directory, `agent.${nodeName}.lock`);
  const text = 'the Lease alone keeps a second agent off this node: its lock cannot be had';
  return { path, onFailure: (error) => logger.warn({ path, reason: messageOf(error) }, text) };
}
