import type { Rows } from '@smalt/ovs';

import type { SwitchTables } from '../../observe/switch-tables.ts';

/** Under these keys of external_ids a mirror and its port say which capture they are for, and until when at most. */
export const CAPTURE_KEY = 'smalt-capture';
export const EXPIRES_KEY = 'smalt-expires';

/** What is left of a capture in one bridge. */
export interface CaptureRemains {
  readonly bridge: string;
  readonly mirrors: readonly string[];
  readonly ports: readonly string[];
}

/** Finds mirrors and ports of captures that do not run any more, by bridge. All of it by the uuids of the rows. */
export function findRemains(
  cache: Pick<Rows<SwitchTables>, 'Bridge' | 'Port' | 'Mirror'>,
  running: ReadonlySet<string>,
): readonly CaptureRemains[] {
  const isLeft = (ids: ReadonlyMap<string, string> | undefined): boolean => {
    const capture = ids?.get(CAPTURE_KEY);
    return capture !== undefined && !running.has(capture);
  };
  return [...cache.Bridge.values()]
    .map((bridge) => ({
      bridge: bridge._uuid,
      mirrors: [...bridge.mirrors].filter((uuid) => isLeft(cache.Mirror.get(uuid)?.external_ids)),
      ports: [...bridge.ports].filter((uuid) => isLeft(cache.Port.get(uuid)?.external_ids)),
    }))
    .filter(({ mirrors, ports }) => mirrors.length + ports.length > 0);
}
