import type { Clock } from '@smalt/controller-runtime';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { isNotFound } from '@smalt/kube';
import { apiVersionOf, type KindReference } from '@smalt/kubernetes';
import type { Ignore } from '@smalt/service-runtime';

import { inner, missingFields } from './missing-fields.ts';
import { OperatorError } from '../operator-error.ts';

/** kube-apiserver publishes the schemas of a new definition a few seconds after it serves its objects. */
const PUBLISHED_AFTER_MS = 15_000;
const LOOK_AGAIN_MS = 500;

type DeclaredKind = Pick<KindReference, 'group' | 'version' | 'kind' | 'plural'>;

/** A kind, and which fields of its status are written. */
export interface WrittenKind {
  readonly kind: DeclaredKind;
  readonly fields: readonly string[];
}

/** What is used of a KubeClient. */
export interface SchemaSource {
  readonly config: { readonly server: string };
  request(asked: { readonly method: 'GET'; readonly path: string; readonly signal: AbortSignal }): Promise<unknown>;
}

interface RequireFieldsDeps {
  readonly client: SchemaSource;
  readonly clock: Pick<Clock, 'monotonic' | 'wait'>;
  readonly ignore: Ignore;
}

/**
 * Refuses a cluster whose definitions of our kinds are older than ours: what they do not declare could never be written,
 * and nothing else of that status either. A cluster that does not tell what it declares is taken at its word.
 */
export async function requireFields(
  deps: RequireFieldsDeps,
  kinds: readonly WrittenKind[],
  signal: AbortSignal,
): Promise<void> {
  const { client } = deps;
  const definitions = await readFleetDefinitions();
  const statuses = await publishedStatuses(
    deps,
    kinds.map(({ kind }) => kind),
    signal,
  );
  const missing = kinds.flatMap((written) => {
    const served = statuses.get(written.kind);
    return served === undefined ? [] : missingOf(written, definitions, served);
  });
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

/** The schemas of the status of kinds, as the API server publishes them to everybody, without those that it does not. */
async function publishedStatuses(
  { client, clock, ignore }: RequireFieldsDeps,
  kinds: readonly DeclaredKind[],
  signal: AbortSignal,
): Promise<ReadonlyMap<DeclaredKind, unknown>> {
  const deadline = clock.monotonic() + PUBLISHED_AFTER_MS;
  const found = new Map<DeclaredKind, unknown>();
  try {
    while (true) {
      const left = kinds.filter((kind) => !found.has(kind));
      for (const [kind, schema] of await publishedSchemas(client, left, signal)) {
        found.set(kind, inner(schema, 'properties', 'status'));
      }
      const unseen = kinds.filter((kind) => !found.has(kind)).map(({ kind }) => kind);
      if (unseen.length === 0) return found;
      if (clock.monotonic() >= deadline) throw new Error(`no schema of ${unseen.join(', ')} is published`);
      await clock.wait(LOOK_AGAIN_MS, signal);
    }
  } catch (error) {
    signal.throwIfAborted();
    ignore(error, 'a cluster that does not tell its schemas may have the right ones');
    return found;
  }
}

/** One look: the kinds of one group and version are in one document. */
async function publishedSchemas(
  client: SchemaSource,
  kinds: readonly DeclaredKind[],
  signal: AbortSignal,
): Promise<readonly (readonly [DeclaredKind, unknown])[]> {
  const found: [DeclaredKind, unknown][] = [];
  for (const [apiVersion, some] of Map.groupBy(kinds, apiVersionOf)) {
    const schemas = await schemasOf(client, apiVersion, signal);
    for (const kind of some) {
      const schema = schemas.find((each) => isOfKind(each, kind));
      if (schema !== undefined) found.push([kind, schema]);
    }
  }
  return found;
}

async function schemasOf(client: SchemaSource, apiVersion: string, signal: AbortSignal): Promise<readonly unknown[]> {
  try {
    const document = await client.request({ method: 'GET', path: `/openapi/v3/apis/${apiVersion}`, signal });
    return Object.values(Object(inner(document, 'components', 'schemas')));
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
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
