import type { JsonObject } from '@smalt/json';

import type { User } from './user.ts';

/** A user as objects of the API show it. */
export function userInfo({ name, uid, groups, extra }: User): JsonObject {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === undefined || uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
