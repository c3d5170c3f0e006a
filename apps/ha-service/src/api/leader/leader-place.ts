import type { LeaseHolder } from '@smalt/controller-runtime';

const ANNOTATION = 'ha.smalt.io/leader';

/** The replica that leads. */
export interface LeaderPlace {
  readonly identity: string;
  /** Such as `https://10.0.0.7:8443`; undefined where it does not say. */
  readonly url: string | undefined;
}

/** What a replica writes on the Lease for others to find it. Its name is in it: what a former leader wrote says nothing of the next. */
export function placeAnnotations(identity: string, url: string | undefined): Readonly<Record<string, string>> {
  return { [ANNOTATION]: `${identity} ${url ?? ''}` };
}

/** What a Lease says of the leader. An address that is more than a host and a port counts as none: it is shown tokens. */
export function leaderPlace(holder: LeaseHolder | undefined): LeaderPlace | undefined {
  if (holder === undefined) return undefined;
  const { identity, annotations } = holder;
  const text = annotations[ANNOTATION] ?? '';
  const url = text.startsWith(`${identity} `) ? URL.parse(text.slice(identity.length + 1)) : null;
  const isPlace = url?.protocol === 'https:' && url.href === `${url.origin}/`;
  return { identity, url: isPlace ? url.origin : undefined };
}
