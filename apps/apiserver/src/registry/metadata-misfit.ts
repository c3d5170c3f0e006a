import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { checkTypes } from '@smalt/kubernetes-api';

/** Any built-in kind has the metadata that all kinds have. */
const ANY_KIND = { group: '', version: 'v1', kind: 'ConfigMap' };

/** What in the metadata of a custom resource has another type than it should; undefined when all is well. */
export function metadataMisfit(object: JsonObject): string | undefined {
  const metadata = object['metadata'];
  if (metadata === undefined || metadata === null) return undefined;
  if (!isJsonObject(metadata)) return `invalid metadata: expected object, got ${goTypeOf(metadata)}`;
  const text = checkTypes({ metadata }, ANY_KIND);
  if (text === undefined) return undefined;
  return text.slice(text.indexOf(': ') + 2).replace('ObjectMeta.metadata.', 'ObjectMeta.');
}

function goTypeOf(value: JsonValue): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return Number.isInteger(value) || typeof value === 'bigint' ? 'int64' : 'float64';
}
