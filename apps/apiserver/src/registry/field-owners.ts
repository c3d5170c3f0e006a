import type { JsonObject } from '@smalt/json';
import { applyConfiguration, ManagedFieldsError, recordUpdate, type Endpoint } from '@smalt/managed-fields';
import type { Resource } from '@smalt/resource';

import { applyConflictError, badRequestError, unclassifiedError } from '../errors/make-status-error.ts';
import { apiVersionOf } from './object-metadata.ts';
import type { Subresource } from './write-context.ts';

/** Who changes what, for the record of who owns which fields. */
export interface OwnedWrite {
  readonly resource: Resource;
  readonly subresource: Subresource;
  readonly manager: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Keeps the record of who owns which fields. */
export class FieldOwners {
  readonly #endpoints = new WeakMap<Resource, Map<Subresource, Endpoint>>();

  /** The object with the fields that were changed recorded under the name of their writer. */
  record(write: OwnedWrite, live: JsonObject | undefined, updated: JsonObject): JsonObject {
    const { manager, now } = write;
    return recordUpdate(this.#endpoint(write), { live, updated, manager, now: new Date(now) });
  }

  /** The live object with a configuration applied to it. Throws 409 when others own what would change. */
  apply(write: OwnedWrite, live: JsonObject | undefined, applied: JsonObject, force: boolean): JsonObject {
    const { manager, now } = write;
    return applyOrRefuse(this.#endpoint(write), { live, applied, manager, force, now: new Date(now) });
  }

  #endpoint(write: OwnedWrite): Endpoint {
    const { resource, subresource } = write;
    let endpoints = this.#endpoints.get(resource);
    if (endpoints === undefined) {
      endpoints = new Map();
      this.#endpoints.set(resource, endpoints);
    }
    let endpoint = endpoints.get(subresource);
    if (endpoint === undefined) {
      endpoint = makeEndpoint(resource, subresource);
      endpoints.set(subresource, endpoint);
    }
    return endpoint;
  }
}

/** Applies a configuration, and says what is wrong with it as a client is to be told. */
export function applyOrRefuse(endpoint: Endpoint, request: Parameters<typeof applyConfiguration>[1]): JsonObject {
  try {
    return applyConfiguration(endpoint, request);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    switch (error.code) {
      case 'conflict':
        throw applyConflictError(error.message, error.conflicts);
      case 'bad-request':
        throw badRequestError(error.message, { cause: error });
      case 'failed':
        throw unclassifiedError(error.message, { cause: error });
    }
  }
}

function makeEndpoint(resource: Resource, subresource: Subresource): Endpoint {
  return {
    schema: resource.schema,
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    subresource,
    isBuiltIn: resource.isBuiltIn,
    resetFields: resetFields(resource, subresource),
  };
}

function resetFields(resource: Resource, subresource: Subresource): readonly (readonly string[])[] {
  if (subresource === '') return resource.hasStatus ? [['status']] : [];
  return resource.isBuiltIn ? [['spec']] : [['metadata'], ['spec']];
}
