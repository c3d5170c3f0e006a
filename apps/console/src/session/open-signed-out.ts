import { KubeClient } from '@smalt/kube';

import { ConsoleError } from '../console-error.ts';
import type { ConsoleOptions } from '../console-options.ts';
import type { EndedSessions } from './ended-sessions.ts';
import { configMapKind, SharedSignedOut, type SharedSignedOutDeps } from './shared-signed-out.ts';
import { SignedOut } from './signed-out.ts';

/** How long the start waits for the API server to say who signed out. */
const KNOW_MS = 5_000;

/** Opens what keeps in mind who signed out: a ConfigMap, a file, or this process alone. */
export async function openSignedOut(
  { apiServer, signedOutFile, signedOutConfigMap: place }: ConsoleOptions,
  stack: AsyncDisposableStack,
  around: Pick<SharedSignedOutDeps, 'clock' | 'ignore' | 'stopping'>,
): Promise<EndedSessions> {
  if (place === undefined) return await SignedOut.open(signedOutFile, around.clock);
  if (apiServer.identity.kind === 'anonymous') {
    const message = 'signedOutConfigMap: the console needs an account of its own for it: give its pod a token';
    throw new ConsoleError('bad-setting', message);
  }
  const client = stack.use(new KubeClient({ config: apiServer, userAgent: 'smalt-console/0.1.0' }));
  const over = new AbortController();
  const stopping = AbortSignal.any([around.stopping, over.signal]);
  const shared = new SharedSignedOut({ ...around, stopping, client: client.resource(configMapKind), place });
  const following = shared.run();
  stack.defer(async () => {
    over.abort(new Error('the console stops'));
    await following;
  });
  // Mostly it is known at once, and then nobody who is signed in notices that this pod is new.
  await shared.whenKnown(AbortSignal.any([stopping, AbortSignal.timeout(KNOW_MS)]));
  return shared;
}
