import { findKubernetes, startKubernetes, startSmaltApiServer, type RunningApiServer } from '@smalt/bed-kubernetes';

import type { ServerName } from './api-server-name.ts';

/** A server that can be had here, started anew each time with no data. */
export interface ServerSource {
  readonly name: ServerName;
  start(signal: AbortSignal): Promise<RunningApiServer>;
}

/** The servers at hand: ours as it is installed, and the real one where it was built. */
export function serverSources(): readonly ServerSource[] {
  const ours: ServerSource = { name: 'smalt', start: (signal) => startSmaltApiServer({ program: 'bundle', signal }) };
  const programs = findKubernetes();
  if (programs === undefined) return [ours];
  return [ours, { name: 'kube', start: (signal) => startKubernetes(programs, signal) }];
}
