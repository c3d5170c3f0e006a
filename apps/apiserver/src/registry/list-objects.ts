import { forbidden, notSupported, type FieldError, type Resource } from '@smalt/resource';

import {
  badRequestError,
  expiredError,
  invalidError,
  tooLargeResourceVersionError,
} from '../errors/make-status-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { parseContinueToken, printContinueToken, type Continuation } from './continue-token.ts';
import { objectSelector, type ObjectSelector, type SelectorText } from './object-selector.ts';
import { parseResourceVersion } from './parse-resource-version.ts';
import { rangeAt, type KeyRange } from './range-at.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { storageName } from './storage-name.ts';

export interface ListOptions extends SelectorText {
  /** Empty for all namespaces. */
  readonly namespace: string;
  /** 0 for no limit. */
  readonly limit?: number | undefined;
  readonly continue?: string | undefined;
  readonly resourceVersion?: string | undefined;
  readonly resourceVersionMatch?: string | undefined;
}

export interface ListPage {
  readonly items: readonly StoredObject[];
  readonly resourceVersion: number;
  /** Set when there is more. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

const EXPIRED = 'The resourceVersion for the provided list is too old.';
const CONTINUE_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

/** Lists objects in the order of their namespaces and names. What it shows is durable. */
export async function listObjects(
  deps: RegistryDependencies,
  resource: Resource,
  options: ListOptions,
): Promise<ListPage> {
  checkListOptions(options);
  const selector = objectSelector(resource, options);
  for (;;) {
    const page = readPage(deps, resource, options, selector);
    const settled = deps.store.settled();
    if (settled === undefined || (await settled)) return page;
  }
}

function readPage(
  deps: RegistryDependencies,
  resource: Resource,
  options: ListOptions,
  selector: ObjectSelector,
): ListPage {
  const continuation = readContinuation(options);
  const exact = exactResourceVersion(deps, options, continuation);
  const range = keyRange(resource, options.namespace, selector, continuation);
  const stored = rangeAt(deps.store, storageName(resource), range, exact);
  if (stored === undefined) throw expired(continuation);
  const resourceVersion = exact ?? deps.store.resourceVersion;
  const limit = options.limit ?? 0;
  const items: StoredObject[] = [];
  for (const [index, object] of stored.entries()) {
    const view = deps.served.view(resource, object);
    if (!selector.isEmpty && !selector.matches(view)) continue;
    if (limit > 0 && items.length === limit) {
      const last = items.at(-1)?.key ?? '';
      const token = printContinueToken({ resourceVersion, start: `${last}\0` });
      const remaining = selector.isEmpty ? { remainingItemCount: stored.length - index } : {};
      return { items, resourceVersion, continue: token, ...remaining };
    }
    items.push(view);
  }
  return { items, resourceVersion };
}

function readContinuation(options: ListOptions): Continuation | undefined {
  if (options.continue === undefined || options.continue === '') return undefined;
  const continuation = parseContinueToken(options.continue);
  const given = options.resourceVersion ?? '';
  if (given === '' || given === '0') return continuation;
  throw badRequestError('specifying resource version is not allowed when using continue');
}

/** The state that has to be shown; undefined for the newest. */
function exactResourceVersion(
  deps: RegistryDependencies,
  options: ListOptions,
  continuation: Continuation | undefined,
): number | undefined {
  const current = deps.store.resourceVersion;
  if (continuation !== undefined) return continuation.resourceVersion > 0 ? continuation.resourceVersion : undefined;
  const asked = parseResourceVersion(options.resourceVersion);
  if (asked === undefined || asked === 0) return undefined;
  if (asked > current) throw tooLargeResourceVersionError(String(asked), String(current));
  const isExact = options.resourceVersionMatch === 'Exact';
  const isLegacyExact = (options.resourceVersionMatch ?? '') === '' && (options.limit ?? 0) > 0;
  return isExact || isLegacyExact ? asked : undefined;
}

function keyRange(
  resource: Resource,
  namespace: string,
  selector: ObjectSelector,
  continuation: Continuation | undefined,
): KeyRange {
  const only = namespace === '' && resource.isNamespaced ? (selector.namespace ?? '') : namespace;
  // The character after the slash ends the range of one namespace.
  const whole = only === '' ? { from: '', to: undefined } : { from: `${only}/`, to: `${only}0` };
  const isOne = selector.name !== undefined && (only !== '' || !resource.isNamespaced);
  const range = isOne ? { from: `${only}/${selector.name}`, to: `${only}/${selector.name}\0` } : whole;
  const start = continuation?.start ?? '';
  return start > range.from ? { ...range, from: start } : range;
}

function expired(continuation: Continuation | undefined): Error {
  if (continuation === undefined) return expiredError(EXPIRED);
  const token = printContinueToken({ resourceVersion: -1, start: continuation.start });
  return expiredError(CONTINUE_EXPIRED, token);
}

function checkListOptions(options: ListOptions): void {
  const match = options.resourceVersionMatch ?? '';
  if (match === '') return;
  const errors: FieldError[] = [];
  const refuse = (detail: string): number => errors.push(forbidden('resourceVersionMatch', detail));
  if ((options.resourceVersion ?? '') === '') {
    refuse('resourceVersionMatch is forbidden unless resourceVersion is provided');
  }
  if ((options.continue ?? '') !== '') refuse('resourceVersionMatch is forbidden when continue is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    errors.push(notSupported('resourceVersionMatch', match, ['Exact', 'NotOlderThan', '']));
  }
  if (match === 'Exact' && options.resourceVersion === '0') {
    refuse('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors);
}
