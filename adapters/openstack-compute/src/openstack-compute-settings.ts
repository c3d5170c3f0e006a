/** The network of test instances: the one with that name or id, or one that is found, or none at all. */
export type SmokeTestNetwork =
  | { readonly kind: 'named'; readonly nameOrId: string }
  /** Of those that are not shared, the one whose id comes first. */
  | { readonly kind: 'first' }
  | { readonly kind: 'none' };

/** What test instances are made of, and where. */
export interface SmokeTestSettings {
  /** The name of the image. */
  readonly image: string;
  /** The id of the flavor, or its name. */
  readonly flavor: string;
  readonly network: SmokeTestNetwork;
  /** The volume to boot from; without one a test instance boots from the image. */
  readonly volume: { readonly isUsed: boolean; readonly type: string; readonly sizeGiB: number };
  /** The project they are in; undefined where they shall be in that of the operator itself. */
  readonly project: { readonly name: string; readonly domain: string } | undefined;
  /** How long the ids of image, flavor and network are kept. */
  readonly lookupMs: number;
}

export interface OpenStackComputeSettings {
  readonly smokeTest: SmokeTestSettings;
  /** Whether a live move copies local disks; `auto` lets Nova find out. */
  readonly blockMigration: 'auto' | boolean;
  /** Whether this Nova can move instances with a virtual GPU while they run. */
  readonly movesVirtualGpus: boolean;
  /** How old a listing may be that is shared by all who ask. */
  readonly listingMs: number;
  /** How many hosts at most Placement names for an instance. */
  readonly mostTargets: number;
}

export const defaultOpenStackComputeSettings: OpenStackComputeSettings = {
  smokeTest: {
    image: 'cirros-kvm',
    flavor: '1',
    network: { kind: 'first' },
    volume: { isUsed: true, type: 'premium', sizeGiB: 64 },
    project: { name: 'test', domain: 'cc3test' },
    lookupMs: 60_000,
  },
  blockMigration: 'auto',
  movesVirtualGpus: false,
  listingMs: 2_000,
  mostTargets: 1_000,
};
