import type { KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { messageOf, type Logger } from '@smalt/service-runtime';
import { readPem } from '@smalt/serving-certificate';

import type { ServiceClock } from '../ports/service-clock.ts';
import type { ToldAuthoritySettings } from '../settings/ha-service-settings.ts';

const TELL_MS = 30_000;
const FIELD_MANAGER = 'smalt-ha-service';

export interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

export const configMapKind: KindReference<ConfigMap> = {
  group: '',
  version: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  isNamespaced: true,
};

export interface TellAuthorityDeps {
  readonly client: KubeClient;
  readonly clock: ServiceClock;
  readonly logger: Pick<Logger, 'warn'>;
  /** Asked each time, as settings may change. */
  readonly settings: () => ToldAuthoritySettings | undefined;
  /** That of the Lease. */
  readonly namespace: string;
}

/**
 * Tells agents whom to take for the service, again and again until the signal fires: the ConfigMap has what the file has,
 * whoever changes either. The Secret that the file comes from is not theirs to read: it has the keys in it.
 */
export async function tellAuthority(deps: TellAuthorityDeps, signal: AbortSignal): Promise<void> {
  const { clock, logger, settings } = deps;
  let trouble = '';
  while (!signal.aborted) {
    const authority = settings();
    try {
      if (authority !== undefined) await tell(deps, authority, signal);
      trouble = '';
    } catch (error) {
      if (signal.aborted) return;
      const words = 'agents cannot be told who signed the certificate of this service; it is tried again';
      if (messageOf(error) !== trouble) logger.warn({ error, configMap: authority?.configMap }, words);
      trouble = messageOf(error);
    }
    await clock.wait(TELL_MS, signal).catch(() => undefined);
  }
}

async function tell(
  { client, namespace }: TellAuthorityDeps,
  { file, configMap }: ToldAuthoritySettings,
  signal: AbortSignal,
): Promise<void> {
  const data = { 'ca.crt': await readPem(file) };
  const options = { namespace, fieldManager: FIELD_MANAGER, force: true, signal };
  await client.resource(configMapKind).apply(configMap, { data }, options);
}
