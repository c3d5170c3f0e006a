/** What agents report how often, by the settings below: who is missed soon has to speak often. */
export const AGENT_REPORTS = 'intervals:\n  uptimeSeconds: 2\n  instancesSeconds: 10\n';

/** A virt-handler is heard of once a minute; Nova's compute services report every second here. */
const HANDLER_DOWN_MS = 150_000;
const NOVA_DOWN_MS = 8_000;

/** Whom tokens for the HA service are made for. */
export const HA_AUDIENCE = 'smalt-ha-service';

export interface HighAvailabilityPlaces {
  /** The address and port that agents and persons reach the service at. */
  readonly listen: string;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly storePath: string;
  /** Where the service keeps its Lease. */
  readonly namespace: string;
  /** The account that agents show tokens of. */
  readonly agentAccount: string;
  /** How hosts are switched off; without it nothing is, and persons say that a host is off. */
  readonly power?: HostPowerPlaces | undefined;
  /** Whether instances are servers of an OpenStack; they are virtual machines of ours otherwise. */
  readonly hasOpenStack?: boolean | undefined;
}

export interface HostPowerPlaces {
  readonly user: string;
  readonly passwordFile: string;
  readonly authorityFile: string;
  /** The controller of each host. */
  readonly urls: Readonly<Record<string, string>>;
}

/**
 * The settings of the HA service on one machine. Hosts are few and near, so agents and Leases that are silent for half a
 * minute are missed; the heartbeat of a virt-handler counts for 150 s, less is not allowed. All that keeps a living host from being
 * taken for dead stays on.
 */
export function highAvailabilitySettings(places: HighAvailabilityPlaces): Readonly<Record<string, unknown>> {
  const { listen, certificateFile, keyFile, storePath, namespace, agentAccount, power, hasOpenStack } = places;
  return {
    listen,
    tls: { certificateFile, keyFile },
    kubernetes: { leaseNamespace: namespace, audience: HA_AUDIENCE },
    store: { kind: 'sqlite', path: storePath },
    compute: { kind: hasOpenStack === true ? 'openstack' : 'virtual-machines' },
    sources: { push: { serviceAccounts: [`${namespace}:${agentAccount}`] } },
    fencing:
      power === undefined
        ? { levels: [{ driver: 'person', name: 'person' }] }
        : { levels: [redfish(power)], check: { intervalMs: 60_000 } },
    detection: DETECTION,
    pace: {
      lookIntervalMs: 500,
      refreshIntervalMs: 1_000,
      followIntervalMs: 500,
      serviceDownMs: hasOpenStack === true ? NOVA_DOWN_MS : HANDLER_DOWN_MS,
    },
    api: { asksKubernetes: true },
  };
}

const DETECTION = {
  judgement: {
    requiredSources: ['agent'],
    agreeMs: 1_000,
    rules: {
      agent: { freshMs: 10_000, deadAfterMs: 20_000 },
      // Nodes renew their leases every ten seconds.
      'node-lease': { freshMs: 25_000, deadAfterMs: 30_000 },
    },
  },
  brakes: {
    warmUpMs: 20_000,
    sightMs: 20_000,
    // One host at a time, and never as many as half of them.
    maximumMissing: 1,
    maximumMissingShare: 0.5,
    intervalMs: 0,
  },
  recovery: { readIntervalMs: 500, slowReadIntervalMs: 2_000 },
  hostReturn: { steadyMs: 5_000 },
};

function redfish({ user, passwordFile, authorityFile, urls }: HostPowerPlaces): Readonly<Record<string, unknown>> {
  return {
    driver: 'redfish',
    name: 'bmc',
    authentication: 'basic',
    url: 'https://{host}.bmc.invalid',
    user,
    passwordFile,
    authorityFile,
    timeoutMs: 5_000,
    perHost: Object.fromEntries(Object.entries(urls).map(([host, url]) => [host, { url }])),
  };
}
