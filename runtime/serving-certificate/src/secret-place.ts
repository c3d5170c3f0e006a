import { isNotFound, type KubeClient } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';

/** The Secret that something is kept in. */
export interface SecretPlace {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly name: string;
}

export interface Secret extends KubernetesObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

export const secretKind: KindReference<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  isNamespaced: true,
};

export async function findSecret(
  { client, namespace, name }: SecretPlace,
  signal: AbortSignal,
): Promise<Secret | undefined> {
  try {
    return await client.resource(secretKind).get(name, { namespace, signal });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
