import type { OVSNodeCondition, OVSNodeStatus } from '@smalt/ovs-api';

import type { HealthSettings } from '../health-settings.ts';
import type { Weighed } from '../issues/weigh-findings.ts';
import { missingBridges } from '../rules/switch/expected-bridges.ts';
import type { SwitchFacts } from '../switch-facts.ts';
import { bondStatuses } from './bonds.ts';
import { bridgeStatuses, flowStats } from './bridges.ts';
import { databaseOldNews } from './old-news.ts';
import { ovnControllerStatus } from './ovn-controller.ts';
import { physicalInterfaces } from './physical-interfaces.ts';
import { trafficCounters } from './traffic-counters.ts';

/** What the status is made from. */
export interface StatusView {
  readonly facts: SwitchFacts;
  readonly settings: HealthSettings;
  readonly weighed: Weighed;
  readonly controller: OVSNodeCondition | undefined;
}

type Inventory = Omit<OVSNodeStatus, 'conditions' | 'issues'>;

/** What there is, as the object tells it. What is not known is left out: it is never told as zero. */
export function statusOf(view: StatusView): Inventory {
  const { facts, controller } = view;
  const ovnController = controller && ovnControllerStatus(facts, controller);
  return { ...versions(facts), ...inventory(view), ...(ovnController !== undefined && { ovnController }) };
}

function inventory({ facts, settings, weighed }: StatusView): Inventory {
  const { configuration } = facts;
  if (configuration === undefined) return {};
  const stats = flowStats(facts);
  const metrics = trafficCounters(configuration);
  const missing = databaseOldNews(facts) === undefined ? missingBridges(facts, settings) : [];
  return {
    bridges: bridgeStatuses(facts, missing, weighed),
    interfaces: { physical: physicalInterfaces(facts), bonds: bondStatuses(facts) },
    ...(stats !== undefined && { flowStats: stats }),
    ...(metrics !== undefined && { metrics }),
  };
}

// The database's version is written by a start script and may be older than the daemon; the daemon knows better.
function versions({ vswitchd, ovsdbServer, configuration }: SwitchFacts): Inventory {
  const ovsVersion = vswitchd.version ?? configuration?.ovsVersion;
  const dpdkVersion = dpdkVersionOf(configuration?.dpdkVersion);
  return {
    ...(ovsVersion !== undefined && { ovsVersion }),
    ...(ovsdbServer.version !== undefined && { ovsdVersion: ovsdbServer.version }),
    ...(configuration !== undefined && { dpdkEnabled: configuration.isDpdkInitialized }),
    ...(dpdkVersion !== undefined && { dpdkVersion }),
  };
}

// `DPDK 22.11.11`; `none` is what a build without DPDK says.
function dpdkVersionOf(text: string | undefined): string | undefined {
  const version = text?.replace(/^DPDK\s+/, '').trim();
  return version === undefined || version === '' || version === 'none' ? undefined : version;
}
