import { readFleetDefinitions } from '@smalt/fleet-api';
import type { KubeClient } from '@smalt/kube';
import { apiVersionOf, type KindReference } from '@smalt/kubernetes';
import type { Ignore } from '@smalt/service-runtime';

import { inner, missingFields } from './missing-fields.ts';
import { OperatorError } from '../operator-error.ts';

type DeclaredKind = Pick<KindReference, 'group' | 'version' | 'kind' | 'plural'>;

/** A kind, and which fields of its status are written. */
export interface WrittenKind {
  readonly kind: DeclaredKind;
  readonly fields: readonly string[];
}

/**
 * Refuses a cluster whose definitions of our kinds are older than ours: what they do not declare could never be written,
 * and nothing else of that status either. A cluster that does not tell what it declares is taken at its word.
 */
export async function requireFields(
  client: KubeClient,
  kinds: readonly WrittenKind[],
  ignore: Ignore,
  signal: AbortSignal,
): Promise<void> {
  const definitions = await readFleetDefinitions();
  const missing: string[] = [];
  for (const written of kinds) {
    const served = await servedStatus(client, written.kind, ignore, signal);
    if (served !== undefined) missing.push(...missingOf(written, definitions, served));
  }
  if (missing.length === 0) return;
  throw new OperatorError(
    'missing-definitions',
    `${client.config.server} has older definitions of our kinds, without ${missing.join(', ')}: update them with kubectl apply -f deploy/helm/smalt/files/crds`,
  );
}

function missingOf({ kind, fields }: WrittenKind, definitions: readonly unknown[], served: unknown): readonly string[] {
  const name = `${kind.plural}.${kind.group}`;
  const definition = definitions.find((each) => inner(each, 'metadata', 'name') === name);
  const versions = inner(definition, 'spec', 'versions');
  const version: unknown = Array.isArray(versions)
    ? versions.find((each) => inner(each, 'name') === kind.version)
    : undefined;
  const declared = inner(version, 'schema', 'openAPIV3Schema', 'properties', 'status', 'properties');
  const properties = Object.fromEntries(fields.map((field) => [field, inner(declared, field)]));
  return missingFields({ properties }, served, 'status').map((path) => `${path} of ${name}`);
}

/** The schema of the status of a kind, as the API server publishes it to everybody; undefined where it does not. */
async function servedStatus(
  client: KubeClient,
  kind: DeclaredKind,
  ignore: Ignore,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const document = await client.request({ method: 'GET', path: `/openapi/v3/apis/${apiVersionOf(kind)}`, signal });
    const schemas = Object.values(Object(inner(document, 'components', 'schemas')));
    const schema = schemas.find((each) => isOfKind(each, kind));
    return inner(schema, 'properties', 'status');
  } catch (error) {
    signal.throwIfAborted();
    ignore(error, 'a cluster that does not tell its schemas may have the right ones');
    return undefined;
  }
}

function isOfKind(schema: unknown, { group, version, kind }: DeclaredKind): boolean {
  const names = inner(schema, 'x-kubernetes-group-version-kind');
  if (!Array.isArray(names)) return false;
  return names.some(
    (name: unknown) =>
      inner(name, 'group') === group && inner(name, 'version') === version && inner(name, 'kind') === kind,
  );
}
