import type { ClusterHost, ClusterView } from '../ports/cluster-port.ts';
import type { PowerDeps } from '../power/create-power.ts';
import type { HostPowerFacts } from '../power/host-power-facts.ts';

interface SwitchSources {
  readonly host: (name: string) => ClusterHost | undefined;
  readonly view: () => Pick<ClusterView, 'hosts'>;
}

/** What the Hypervisor objects say of power switches. One that is on its way out does not dispute another its own. */
export function switchFacts(cluster: SwitchSources): Pick<PowerDeps, 'facts' | 'fleet'> {
  let last: { readonly hosts: readonly ClusterHost[]; readonly facts: readonly HostPowerFacts[] } | undefined;
  return {
    facts: (name) => {
      const host = cluster.host(name);
      return host && powerFacts(host);
    },
    fleet: () => {
      const { hosts } = cluster.view();
      if (last?.hosts !== hosts)
        last = { hosts, facts: hosts.filter(({ isLeaving }) => isLeaving !== true).map(powerFacts) };
      return last.facts;
    },
  };
}

function powerFacts({ name, bmcAddress, labels }: ClusterHost): HostPowerFacts {
  return { name, address: bmcAddress, labels };
}
