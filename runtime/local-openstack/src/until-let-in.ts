import { setTimeout as delay } from 'node:timers/promises';

import { CloudClient, type CloudCredentials } from './cloud-client.ts';
import type { ServiceType } from './configuration/cloud-address.ts';

const POLL_MS = 100;
/** On a busy machine a request was seen that nobody ever answered: another one is made instead of waiting for it. */
export const ATTEMPT_MS = 15_000;

type Endpoints = Readonly<Record<Exclude<ServiceType, 'network'>, string>>;

/**
 * Resolves once Keystone and every service that asks it let a user in. An answer of each is not enough to begin with: it asks
 * Keystone only when the first token comes, and refuses whoever brings that while Keystone does not answer.
 */
export async function untilLetIn(
  endpoints: Endpoints,
  credentials: CloudCredentials,
  signal: AbortSignal,
): Promise<CloudClient> {
  const { identity, placement, compute, image } = endpoints;
  const questions = [`${placement}/resource_providers`, `${compute}/os-services`, `${image}/v2/images`];
  for (;;) {
    const attempt = AbortSignal.any([signal, AbortSignal.timeout(ATTEMPT_MS)]);
    try {
      const client = await CloudClient.logIn(identity, credentials, attempt);
      await Promise.all(questions.map((url) => client.request(url)));
      return client;
    } catch (cause) {
      // Not an error of ours: the last words of all services are told with it.
      if (signal.aborted) throw new Error('Keystone, Placement, Nova and Glance let nobody in', { cause });
      await delay(POLL_MS);
    }
  }
}
