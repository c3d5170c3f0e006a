import type { ListMeta } from '@smalt/kubernetes';
import type { Resource } from '@smalt/resource';

import { groupVersion } from '../discovery/served-groups.ts';
import { metadataOf, printPartialObject, type TableSource } from '../table/make-table.ts';

interface ListContent {
  readonly items: readonly TableSource[];
  readonly metadata: ListMeta;
}

const COMMA = 0x2c;
const END = Buffer.from(']}');

/** A list as JSON: the bytes of its items, put together without a look into them. */
export function listBytes(resource: Resource, { items, metadata }: ListContent): Buffer {
  const apiVersion = groupVersion(resource.group, resource.version);
  const head = JSON.stringify({ kind: resource.listKind, apiVersion, metadata });
  const start = Buffer.from(`${head.slice(0, -1)},"items":[`);
  let length = start.length + END.length + Math.max(items.length - 1, 0);
  // Bytes may have to be read from the disk, so each object is asked once.
  const parts = items.map((item) => item.bytes);
  for (const part of parts) length += part.length;
  const body = Buffer.allocUnsafe(length);
  let position = start.copy(body);
  for (const [index, part] of parts.entries()) {
    if (index > 0) body[position++] = COMMA;
    position += part.copy(body, position);
  }
  END.copy(body, position);
  return body;
}

/** A list of what identifies each object and nothing else of it. */
export function partialListText({ items, metadata }: ListContent, version: 'v1' | 'v1beta1'): string {
  const head = JSON.stringify({ kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata });
  const parts = items.map((item) => printPartialObject(metadataOf(item.value), version));
  return `${head.slice(0, -1)},"items":[${parts.join(',')}]}`;
}
