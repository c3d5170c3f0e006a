import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { invalid, notSupported, type FieldError } from '@smalt/resource';

import { badRequestError, invalidError } from '../errors/make-status-error.ts';
import type { DeleteOptions, PropagationPolicy } from '../registry/write-context.ts';
import { dryRunErrors } from './write-options.ts';

/** How an object is to be deleted, or whether it is only to be tried. */
export interface DeleteRequest extends DeleteOptions {
  readonly isDryRun: boolean;
}

/** Reads delete options from a body. Throws 400 for a value of the wrong type and 422 for an unknown one. */
export function deleteOptionsFromBody(body: JsonObject): DeleteRequest {
  const { kind = 'DeleteOptions', apiVersion = 'v1' } = body;
  if (kind !== 'DeleteOptions') {
    const what = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`;
    throw badRequestError(`${what} in scheme "pkg/runtime/scheme.go:111"`);
  }
  const given = body['preconditions'];
  const preconditions = isJsonObject(given) ? given : {};
  return checked({
    dryRun: stringsOf(body['dryRun']),
    propagationPolicy: textOf(body['propagationPolicy'], 'propagationPolicy'),
    gracePeriodSeconds: integerOf(body['gracePeriodSeconds']),
    orphanDependents: flagOf(body['orphanDependents']),
    uid: textOf(preconditions['uid'], 'preconditions.uid'),
    resourceVersion: textOf(preconditions['resourceVersion'], 'preconditions.resourceVersion'),
  });
}

/** Reads delete options from the query, for a request without a body. */
export function deleteOptionsFromQuery(query: URLSearchParams): DeleteRequest {
  const grace = query.get('gracePeriodSeconds');
  const orphan = query.get('orphanDependents');
  return checked({
    dryRun: query.getAll('dryRun'),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    gracePeriodSeconds: grace === null ? undefined : parseInteger(grace),
    orphanDependents: orphan === null ? undefined : flagOf(orphan === 'true' || orphan === '1'),
    uid: undefined,
    resourceVersion: undefined,
  });
}

function parseInteger(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw badRequestError(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

interface Given {
  readonly dryRun: readonly string[];
  readonly propagationPolicy: string | undefined;
  readonly gracePeriodSeconds: number | undefined;
  readonly orphanDependents: boolean | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
}

function checked(given: Given): DeleteRequest {
  const errors: FieldError[] = [...dryRunErrors(given.dryRun)];
  const policy = given.propagationPolicy;
  if (policy !== undefined && given.orphanDependents !== undefined) {
    errors.unshift(invalid('propagationPolicy', policy, 'orphanDependents and deletionPropagation cannot be both set'));
  }
  if (policy !== undefined && !isPolicy(policy)) {
    errors.unshift(notSupported('propagationPolicy', policy, ['Foreground', 'Background', 'Orphan', 'nil']));
  }
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  const propagationPolicy = policy !== undefined && isPolicy(policy) ? policy : policyOf(given.orphanDependents);
  const preconditions = {
    ...(given.uid === undefined ? {} : { uid: given.uid }),
    ...(given.resourceVersion === undefined ? {} : { resourceVersion: given.resourceVersion }),
  };
  return {
    isDryRun: given.dryRun.length > 0,
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(given.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: given.gracePeriodSeconds }),
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
  };
}

function isPolicy(value: string): value is PropagationPolicy {
  return value === 'Foreground' || value === 'Background' || value === 'Orphan';
}

function policyOf(orphanDependents: boolean | undefined): PropagationPolicy | undefined {
  if (orphanDependents === undefined) return undefined;
  return orphanDependents ? 'Orphan' : 'Background';
}

function stringsOf(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrongType(value, 'dryRun', '[]string');
  return value.map((item: JsonValue) => textOf(item, 'dryRun') ?? '');
}

function textOf(value: JsonValue | undefined, field: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw wrongType(value, field, 'string');
  return value;
}

function integerOf(value: JsonValue | undefined): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(value, 'gracePeriodSeconds', 'int64');
  return value;
}

function flagOf(value: JsonValue | undefined): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean') throw wrongType(value, 'orphanDependents', 'bool');
  return value;
}

function wrongType(value: JsonValue, field: string, type: string): Error {
  const name = Array.isArray(value) ? 'array' : typeof value;
  return badRequestError(`json: cannot unmarshal ${name} into Go struct field DeleteOptions.${field} of type ${type}`);
}
