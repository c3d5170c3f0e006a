import { printJson, type JsonObject, type JsonValue } from '@smalt/json';
import { goQuote, invalid, type Resource } from '@smalt/resource';

import { badRequestError, invalidError } from '../errors/make-status-error.ts';
import type { StatusError } from '../errors/status-error.ts';
import { apiVersionOf, metadataText } from './object-metadata.ts';
import { pruneObject } from './prune-object.ts';
import type { WriteContext } from './write-context.ts';

const SUMMARY_LENGTH = 30;
const SCHEME = 'pkg/runtime/scheme.go:111';

/** Takes an object from a request: it is of the right kind, has no unknown fields, and its defaults are filled in. */
export function acceptObject(resource: Resource, object: JsonObject, context: WriteContext): JsonObject {
  checkKind(resource, object);
  const pruned = pruneObject(resource, object);
  if (pruned.misfit !== undefined) throw cannotBeHandled(resource, resource, pruned.misfit);
  const problems = strictProblems(pruned.unknownFields, context.duplicateFields);
  if (problems.length > 0) reportProblems(problems, context, (why) => cannotBeHandled(resource, resource, why));
  return resource.strategy.default(pruned.object);
}

/** The texts for fields that should not be there. */
export function strictProblems(
  unknownFields: readonly string[],
  duplicateFields: readonly string[],
): readonly string[] {
  return [
    ...duplicateFields.map((field) => `duplicate field ${goQuote(field)}`),
    ...unknownFields.map((field) => `unknown field ${goQuote(field)}`),
  ];
}

/** Refuses fields that should not be there, or warns of them, as the request wants it. */
export function reportProblems(
  problems: readonly string[],
  context: WriteContext,
  refusal: (why: string) => StatusError,
): void {
  switch (context.fieldValidation) {
    case 'Strict':
      throw refusal(`strict decoding error: ${problems.join(', ')}`);
    case 'Warn':
      for (const problem of problems) context.addWarning(problem);
      return;
    case 'Ignore':
  }
}

function checkKind(resource: Resource, object: JsonObject): void {
  // A built-in kind is known from the path already; a custom one has to be named.
  const expected = apiVersionOf(resource);
  const kind = textOf(object['kind']) || (resource.isBuiltIn ? resource.kind : '');
  const apiVersion = textOf(object['apiVersion']) || (resource.isBuiltIn ? expected : '');
  if (kind === '') throw kindMissing(resource, object);
  if (resource.isBuiltIn && (kind !== resource.kind || apiVersion !== expected)) {
    const why = `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} in scheme ${goQuote(SCHEME)}`;
    throw cannotBeHandled({ kind, version: apiVersion.slice(apiVersion.indexOf('/') + 1) }, resource, why);
  }
  if (apiVersion !== expected) {
    throw badRequestError(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (kind === resource.kind) return;
  throw invalidError(resource, metadataText(object, 'name'), [invalid('kind', kind, `must be ${resource.kind}`)]);
}

function cannotBeHandled(found: Pick<Resource, 'kind' | 'version'>, wanted: Resource, why: string): StatusError {
  return badRequestError(
    `${found.kind} in version ${goQuote(found.version)} cannot be handled as a ${wanted.kind}: ${why}`,
  );
}

function kindMissing(resource: Resource, object: JsonObject): StatusError {
  const text = printJson(object);
  const summary = text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH)} ...` : text;
  const why = `Object 'Kind' is missing in '${text}'`;
  return badRequestError(`the object provided is unrecognized (must be of type ${resource.kind}): ${why} (${summary})`);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
