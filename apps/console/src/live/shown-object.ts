import { isJsonObject, printJson, type JsonObject } from '@smalt/json';
import type { KubernetesObject } from '@smalt/kubernetes';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** What pages call an object among others of its kind. */
export function keyOf({ metadata: { namespace, name } }: KubernetesObject): string {
  return namespace === undefined || namespace === '' ? name : `${namespace}/${name}`;
}

/** An object as text, without what is long and no page shows. */
export function shownObject(object: KubernetesObject): string {
  const { managedFields: _, annotations, ...metadata } = object.metadata;
  const shown = { ...object, metadata: { ...metadata, ...withoutLastApplied(annotations) } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it came as JSON, and is still
  return printJson(shown as unknown as JsonObject);
}

function withoutLastApplied(annotations: unknown): { readonly annotations?: unknown } {
  if (!isJsonObject(annotations)) return {};
  const { [LAST_APPLIED]: _, ...rest } = annotations;
  return { annotations: rest };
}
