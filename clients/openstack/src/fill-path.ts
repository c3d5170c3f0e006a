import { OpenStackError } from './openstack-error.ts';

/**
 * Puts ids into the places of a path such as `/servers/{server}`. An id that is empty or would lead elsewhere is a
 * `bad-argument`: `DELETE /servers/` is not what anybody wants.
 */
export function fillPath(path: string, ids: Readonly<Record<string, string | number>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    const id = String(ids[name] ?? '');
    if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id);
    throw new OpenStackError('bad-argument', `${path}: "${id}" is no ${name}`);
  });
}
