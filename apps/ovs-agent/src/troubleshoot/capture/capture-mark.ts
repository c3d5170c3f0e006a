import type { Rows } from '@smalt/ovs';

import type { SwitchTables } from '../../observe/switch-tables.ts';

/** Under these keys of external_ids a mirror and its port say which capture they are for, until when at most, and of which agent. */
export const CAPTURE_KEY = 'smalt-capture';
export const EXPIRES_KEY = 'smalt-expires';
export const OWNER_KEY = 'smalt-owner';

type MarkedTables = Pick<Rows<SwitchTables>, 'Bridge' | 'Port' | 'Mirror'>;
type ExternalIds = ReadonlyMap<string, string>;

/** What is left of a capture in one bridge. */
export interface CaptureRemains {
  readonly bridge: string;
  readonly mirrors: readonly string[];
  readonly ports: readonly string[];
}

/** What tells a capture that runs from one that is left over. */
export interface CaptureOwners {
  /** The captures that this agent runs. */
  readonly running: ReadonlySet<string>;
  /** The identity of this agent, as its marks have it. */
  readonly own: string;
  /** Those owners of marks that have surely ended. */
  readonly ended: ReadonlySet<string>;
  readonly now: number;
}

/** The agents that have marked something, each once. */
export function ownersIn({ Port, Mirror }: MarkedTables): readonly string[] {
  const marked = [...Port.values(), ...Mirror.values()].filter((row) => row.external_ids.has(CAPTURE_KEY));
  return [...new Set(marked.flatMap((row) => row.external_ids.get(OWNER_KEY) ?? []))];
}

/**
 * Whether what carries these marks is for nobody any more. That of an agent which may still run is left alone until it
 * expires: two agents of a node meet whenever one takes over from the other.
 */
export function isLeftOver(ids: ExternalIds, { running, own, ended, now }: CaptureOwners): boolean {
  const capture = ids.get(CAPTURE_KEY);
  if (capture === undefined || running.has(capture)) return false;
  const owner = ids.get(OWNER_KEY);
  if (owner !== undefined && (owner === own || ended.has(owner))) return true;
  const expires = Date.parse(ids.get(EXPIRES_KEY) ?? '');
  return Number.isNaN(expires) || expires <= now;
}

/** Finds mirrors and ports of captures that do not run any more, by bridge. All of it by the uuids of the rows. */
export function findRemains(cache: MarkedTables, owners: CaptureOwners): readonly CaptureRemains[] {
  const isLeft = (ids: ExternalIds | undefined): boolean => ids !== undefined && isLeftOver(ids, owners);
  return [...cache.Bridge.values()]
    .map((bridge) => ({
      bridge: bridge._uuid,
      mirrors: [...bridge.mirrors].filter((uuid) => isLeft(cache.Mirror.get(uuid)?.external_ids)),
      ports: [...bridge.ports].filter((uuid) => isLeft(cache.Port.get(uuid)?.external_ids)),
    }))
    .filter(({ mirrors, ports }) => mirrors.length + ports.length > 0);
}
