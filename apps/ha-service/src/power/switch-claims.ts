import { levelsOf, type HostLevel } from './host-level.ts';
import type { HostPowerFacts } from './host-power-facts.ts';
import { isDisputedBy, switchOf, type NamedSwitch } from './named-switch.ts';
import type { PowerLevel, PowerSettings } from './power-settings.ts';

export interface SwitchClaimsDeps {
  readonly settings: () => Pick<PowerSettings, 'levels'>;
  /** What the Hypervisor objects of all hosts say. */
  readonly fleet: () => readonly HostPowerFacts[];
}

interface Known {
  readonly facts: HostPowerFacts;
  readonly switches: readonly NamedSwitch[];
}

/**
 * Knows which hosts name which power switch. One that two hosts name belongs to at most one of them: by the other the wrong host
 * would be powered off, and its silence be taken for a proof.
 */
export class SwitchClaims {
  readonly #deps: SwitchClaimsDeps;
  readonly #known = new Map<string, Known>();
  /** The names of hosts by the addresses that they name. */
  readonly #byAddress = new Map<string, Set<string>>();
  #levels: readonly PowerLevel[] | undefined;
  #fleet: readonly HostPowerFacts[] | undefined;

  constructor(deps: SwitchClaimsDeps) {
    this.#deps = deps;
  }

  /** The name of another host whose own switch may be that of a level. */
  rivalOf(host: string, level: HostLevel): string | undefined {
    this.#refresh();
    const own = switchOf(level);
    return [...(this.#byAddress.get(own.address) ?? [])].find(
      (name) => name !== host && this.#known.get(name)?.switches.some((each) => isDisputedBy(own, each)) === true,
    );
  }

  /** Ten thousand hosts are looked through whenever their list is another one; worked out again is only what has changed. */
  #refresh(): void {
    const settings = this.#deps.settings();
    const fleet = this.#deps.fleet();
    if (fleet === this.#fleet && settings.levels === this.#levels) return;
    this.#fleet = fleet;
    if (settings.levels !== this.#levels) {
      this.#known.clear();
      this.#byAddress.clear();
      this.#levels = settings.levels;
    }
    for (const facts of fleet) {
      const known = this.#known.get(facts.name)?.facts;
      if (known !== undefined && known.address === facts.address && known.labels === facts.labels) continue;
      this.#forget(facts.name);
      const switches = levelsOf(settings, facts).map(switchOf);
      this.#known.set(facts.name, { facts, switches });
      for (const { address } of switches) this.#hostsAt(address).add(facts.name);
    }
    if (this.#known.size === fleet.length) return;
    const there = new Set(fleet.map(({ name }) => name));
    for (const name of this.#known.keys()) if (!there.has(name)) this.#forget(name);
  }

  #hostsAt(address: string): Set<string> {
    const hosts = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, hosts);
    return hosts;
  }

  #forget(host: string): void {
    for (const { address } of this.#known.get(host)?.switches ?? []) {
      const hosts = this.#byAddress.get(address);
      hosts?.delete(host);
      if (hosts?.size === 0) this.#byAddress.delete(address);
    }
    this.#known.delete(host);
  }
}
