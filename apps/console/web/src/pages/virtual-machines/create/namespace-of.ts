import { isJsonObject } from '@smalt/json';

/** Where an object that somebody wrote belongs; what names no namespace goes where everything goes. */
export function namespaceOf(object: unknown): string {
  if (!isJsonObject(object)) return 'default';
  const metadata = object['metadata'];
  if (!isJsonObject(metadata)) return 'default';
  const { namespace } = metadata;
  return typeof namespace === 'string' && namespace !== '' ? namespace : 'default';
}
