import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';
import {
  KubernetesError,
  parseFieldSelector,
  parseLabelSelector,
  type FieldSelector,
  type KindReference,
  type LabelSelector,
} from '@smalt/kubernetes';

import { ConsoleError } from '../console-error.ts';

/** What a page follows: objects of the API server, or what the HA service tells. */
export type Followed =
  | {
      readonly kind: 'resource';
      readonly resource: KindReference;
      readonly namespace?: string;
      readonly fieldSelector?: FieldSelector;
      readonly labelSelector?: LabelSelector;
    }
  | { readonly kind: 'high-availability' };

/** What a page asks for. `problem` is a follow that can never be. */
export type LiveRequest =
  | { readonly kind: 'follow'; readonly id: number; readonly followed: Followed }
  | { readonly kind: 'forget'; readonly id: number }
  | { readonly kind: 'problem'; readonly id: number; readonly message: string };

const HIGH_AVAILABILITY = '/ha/v1/changes';
const SEGMENT = '[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?';
const PATH = new RegExp(
  `^(?:/api|/apis/(?<group>${SEGMENT}))/(?<version>v[a-z0-9]{1,30})` +
    `(?:/namespaces/(?<namespace>${SEGMENT})(?=/))?/(?<plural>${SEGMENT})$`,
);

/** Reads what a page has sent. Throws `bad-request` for what names no follow that could be told of it. */
export function readLiveRequest(text: string): LiveRequest {
  const value = parsed(text);
  const { kind, id } = value;
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id < 0) throw bad('id', 'has to be a number from 0 on');
  if (kind === 'forget') return { kind, id };
  if (kind !== 'follow') throw bad('kind', 'has to be "follow" or "forget"');
  try {
    return { kind, id, followed: readFollowed(value) };
  } catch (error) {
    if (!(error instanceof ConsoleError) && !(error instanceof KubernetesError)) throw error;
    return { kind: 'problem', id, message: error.message };
  }
}

function readFollowed({ path, fieldSelector, labelSelector }: JsonObject): Followed {
  if (path === HIGH_AVAILABILITY) return { kind: 'high-availability' };
  const found = typeof path === 'string' ? PATH.exec(path)?.groups : undefined;
  if (found === undefined) {
    throw bad('path', 'has to be that of a collection, such as /apis/kubevirt.io/v1/virtualmachineinstances');
  }
  const { group = '', version = '', namespace, plural = '' } = found;
  const isNamespaced = namespace !== undefined;
  return {
    kind: 'resource',
    // What the kind is called nobody asks here: the objects say it themselves.
    resource: { group, version, plural, kind: plural, isNamespaced },
    ...(namespace !== undefined && { namespace }),
    ...(isGiven(fieldSelector, 'fieldSelector') && { fieldSelector: parseFieldSelector(fieldSelector) }),
    ...(isGiven(labelSelector, 'labelSelector') && { labelSelector: parseLabelSelector(labelSelector) }),
  };
}

function isGiven(value: unknown, field: string): value is string {
  if (value === undefined || value === '') return false;
  if (typeof value === 'string') return true;
  throw bad(field, 'has to be a text');
}

function parsed(text: string): JsonObject {
  try {
    const value = parseJson(text);
    if (isJsonObject(value)) return value;
  } catch (error) {
    throw new ConsoleError('bad-request', 'a message is no JSON', { cause: error });
  }
  throw new ConsoleError('bad-request', 'a message has to be a JSON object');
}

function bad(field: string, why: string): ConsoleError {
  return new ConsoleError('bad-request', `${field} ${why}`, { field });
}
