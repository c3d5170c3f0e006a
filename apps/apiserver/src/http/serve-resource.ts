import { printJson, type JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { subresourcesOf } from '../discovery/subresources.ts';
import {
  badRequestError,
  methodNotAllowedError,
  notFoundError,
  plainMethodNotAllowedError,
  unknownResourceError,
} from '../errors/make-status-error.ts';
import { checkNameParameter } from '../registry/check-name-parameter.ts';
import { isNamespace } from '../registry/namespace-lifecycle.ts';
import type { Patch } from '../registry/patch.ts';
import type { Registry } from '../registry/registry.ts';
import type { ObjectKey, Subresource, WriteContext } from '../registry/write-context.ts';
import { SCALE_COLUMNS } from '../table/scale-columns.ts';
import { formOf } from './call-form.ts';
import type { Exchange } from './exchange.ts';
import { parseListOptions, sharedOptions } from './list-options.ts';
import { checkPatchOptions, parseForce, patchKind, toPatch } from './patch-body.ts';
import { readDeleteRequest, readObject, readPatch, writeContext } from './read-write-request.ts';
import { isNamedByPath, type RequestInfo } from './request-info.ts';
import { handlerKey, type ResourceCall, type ResourceHandlers } from './resource-handler.ts';
import { sendList, sendObject, sendValue, type AnswerForm } from './respond.ts';
import { serveWatch, type WatchServing } from './serve-watch.ts';

/** What requests about resources are served with. */
export interface ResourceServing {
  readonly registry: Registry;
  readonly watching: WatchServing;
  readonly handlers: ResourceHandlers;
  readonly now: () => Date;
}

const READING_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const COLLECTION_VERBS: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
/** What can be asked of all namespaces at once. To delete in all of them would be one forgotten word away. */
const OVERALL_VERBS: ReadonlySet<string> = new Set(['list', 'watch']);

/**
 * Whether a resource is served where a request looks for it: with a namespace or without, as its scope says, and with
 * nothing in the path that has no meaning there. What was authorized in one place is never served from another.
 */
export function isServedAt(resource: Resource, info: RequestInfo): boolean {
  const { namespace, verb } = info;
  if (info.rest.length > 0 && info.subresource !== 'proxy') return false;
  if (info.subresource !== '' && (info.name === '' || COLLECTION_VERBS.has(verb))) return false;
  if (!resource.isNamespaced) return namespace === '' || (isNamespace(resource) && namespace === info.name);
  return namespace !== '' || (OVERALL_VERBS.has(verb) && !isNamedByPath(info));
}

/** The refusal of a request that looks for a built-in resource where it is not served. */
export function misplacedError(resource: Resource | undefined, { namespace, name }: RequestInfo): Error {
  const isOverall = resource?.isNamespaced === true && namespace === '' && name === '';
  return isOverall ? plainMethodNotAllowedError() : unknownResourceError();
}

/** Serves a request about a resource. */
export async function serveResource(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const { info, resource } = call;
  // The path of a watch says the verb whatever the method is.
  if (info.verb === 'watch' && !READING_METHODS.has(call.exchange.method)) throw refused(resource, info.verb);
  const handler = deps.handlers.get(handlerKey(info));
  if (handler !== undefined) {
    if (isNamedByPath(info)) checkNameParameter(info.name);
    const form = formOf(call, deps.now());
    const answer = await handler(call);
    if (answer !== undefined) await sendValue(call.exchange, answer.code, answer.object, form);
    return;
  }
  if (info.subresource === 'scale' && resource.scale !== undefined) return serveScale(deps, call);
  const subresource = servedSubresource(call);
  const isVerb =
    subresource === '' ? hasVerb(call) : info.verb === 'get' || info.verb === 'update' || info.verb === 'patch';
  if (!isVerb) throw refused(resource, info.verb);
  return serveVerb(deps, call, subresource);
}

function servedSubresource({ info, resource }: ResourceCall): Subresource {
  if (info.subresource === '') return '';
  if (info.subresource === 'status' && resource.hasStatus) return 'status';
  if (subresourcesOf(resource).some(({ name }) => name === info.subresource)) throw refused(resource, info.verb);
  throw resource.isBuiltIn ? unknownResourceError() : notFoundError(resource, info.name);
}

function hasVerb({ info, resource }: ResourceCall): boolean {
  // A POST to the path of one object is no verb of the API.
  if (info.verb === 'create' && info.name !== '') return false;
  // Nor is a change of a whole collection.
  if ((info.verb === 'update' || info.verb === 'patch') && info.name === '') {
    if (resource.isBuiltIn) return false;
    throw badRequestError('name must be provided');
  }
  const verbs: readonly string[] = resource.verbs;
  return verbs.includes(info.verb);
}

function refused(resource: Resource, verb: string): Error {
  return resource.isBuiltIn ? plainMethodNotAllowedError() : methodNotAllowedError(resource, verb);
}

function serveVerb(deps: ResourceServing, call: ResourceCall, subresource: Subresource): Promise<void> {
  switch (call.info.verb) {
    case 'get':
      return get(deps, call);
    case 'list':
      return list(deps, call);
    case 'watch':
      return watch(deps, call);
    case 'create':
      return create(deps, call);
    case 'update':
      return update(deps, call, subresource);
    case 'patch':
      return patch(deps, call, subresource);
    case 'delete':
      return deleteOne(deps, call);
    case 'deletecollection':
      return deleteMany(deps, call);
    default:
      throw refused(call.resource, call.info.verb);
  }
}

function keyOf({ info, resource }: ResourceCall): ObjectKey {
  return { namespace: resource.isNamespaced ? info.namespace : '', name: info.name };
}

async function get(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const { exchange, resource, info } = call;
  const form = formOf(call, deps.now());
  const object = await deps.registry.get(resource, keyOf(call), info.query.get('resourceVersion') ?? undefined);
  await sendObject(exchange, 200, { resource, object }, form);
}

async function list(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const form = formOf(call, deps.now());
  const options = parseListOptions(call.info);
  const { resource } = call;
  const page = await deps.registry.list(resource, options);
  const metadata = {
    resourceVersion: String(page.resourceVersion),
    // Lists of custom resources always say where they go on, even if nowhere.
    ...(page.continue === undefined && (resource.isBuiltIn || form.choice.transform !== undefined)
      ? {}
      : { continue: page.continue ?? '' }),
    ...(page.remainingItemCount === undefined ? {} : { remainingItemCount: page.remainingItemCount }),
  };
  await sendList(call.exchange, resource, { items: page.items, metadata }, form);
}

async function watch(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const { choice } = formOf(call, deps.now());
  await serveWatch(deps.watching, { exchange: call.exchange, info: call.info, resource: call.resource, choice });
}

async function create(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const { exchange, resource, info } = call;
  const form = formOf(call, deps.now());
  const context = writeContext(call, 'CreateOptions');
  const body = await readObject(call, resource, context);
  const written = { ...context, duplicateFields: body.duplicateFields };
  const object = await deps.registry.create(
    resource,
    resource.isNamespaced ? info.namespace : '',
    body.object,
    written,
  );
  exchange.noteCreated(object.name);
  await sendObject(exchange, 201, { resource, object }, form);
}

async function update(deps: ResourceServing, call: ResourceCall, subresource: Subresource): Promise<void> {
  const { exchange, resource } = call;
  const form = formOf(call, deps.now());
  const context = writeContext(call, 'UpdateOptions');
  const body = await readObject(call, resource, context);
  const options = { context: { ...context, duplicateFields: body.duplicateFields }, subresource };
  const { object, isCreated } = await deps.registry.update(resource, keyOf(call), body.object, options);
  await sendObject(exchange, isCreated ? 201 : 200, { resource, object }, form);
}

async function patch(deps: ResourceServing, call: ResourceCall, subresource: Subresource): Promise<void> {
  const { exchange, resource } = call;
  const { change, form, context } = await readPatchCall(deps, call);
  const { object, isCreated } = await deps.registry.patch(resource, keyOf(call), change, { context, subresource });
  await sendObject(exchange, isCreated ? 201 : 200, { resource, object }, form);
}

async function readPatchCall(
  deps: ResourceServing,
  call: ResourceCall,
): Promise<{ readonly change: Patch; readonly form: AnswerForm; readonly context: WriteContext }> {
  const kind = patchKind(call.exchange.header('content-type'), call.resource);
  const form = formOf(call, deps.now());
  checkPatchOptions(call.info.query, kind);
  const context = writeContext(call, 'PatchOptions');
  const body = await readPatch(call.exchange, kind, context.fieldValidation !== 'Ignore');
  const change = toPatch(kind, body.value, parseForce(call.info.query) === true);
  return { change, form, context: { ...context, duplicateFields: body.duplicateFields } };
}

async function serveScale(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const { exchange, resource, info } = call;
  const key = keyOf(call);
  if (info.verb === 'get') {
    const form = formOf(call, deps.now());
    return sendScale(exchange, await deps.registry.getScale(resource, key), form);
  }
  if (info.verb === 'patch') {
    const { change, form, context } = await readPatchCall(deps, call);
    return sendScale(exchange, await deps.registry.changeScale(resource, key, change, context), form);
  }
  if (info.verb !== 'update') throw refused(resource, info.verb);
  const form = formOf(call, deps.now());
  const context = writeContext(call, 'UpdateOptions');
  const body = await readObject(call, { group: 'autoscaling', version: 'v1', kind: 'Scale' }, context);
  const scale = await deps.registry.changeScale(resource, key, { kind: 'replace', scale: body.object }, context);
  return sendScale(exchange, scale, form);
}

function sendScale(exchange: Exchange, scale: JsonObject, form: AnswerForm): Promise<void> {
  const bytes = Buffer.from(printJson(scale));
  const object = { value: scale, bytes, byteLength: bytes.length };
  return sendObject(exchange, 200, { resource: { columns: SCALE_COLUMNS }, object }, form);
}

async function deleteOne(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const { exchange, resource, info } = call;
  const form = formOf(call, deps.now());
  const options = await readDeleteRequest(exchange, info.query);
  const context = { ...writeContext(call, 'DeleteOptions'), dryRun: options.isDryRun };
  const result = await deps.registry.delete(resource, keyOf(call), options, context);
  switch (result.kind) {
    case 'object':
      return sendObject(exchange, 200, { resource, object: result.object }, form);
    case 'status':
      return sendValue(exchange, 200, result.status, form);
  }
}

async function deleteMany(deps: ResourceServing, call: ResourceCall): Promise<void> {
  const { exchange, resource, info } = call;
  const form = formOf(call, deps.now());
  const options = await readDeleteRequest(exchange, info.query);
  const context = { ...writeContext(call, 'DeleteOptions'), dryRun: options.isDryRun };
  const page = await deps.registry.deleteCollection(resource, sharedOptions(info), options, context);
  const metadata = { resourceVersion: String(page.resourceVersion), ...(resource.isBuiltIn ? {} : { continue: '' }) };
  await sendList(exchange, resource, { items: page.items, metadata }, form);
}
