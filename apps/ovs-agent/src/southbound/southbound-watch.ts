import { WakeUp, type Clock } from '@smalt/controller-runtime';
import { parseRemote, type OpenFlowConnection } from '@smalt/ovs';
import { messageOf, type Ignore, type Logger } from '@smalt/service-runtime';
import {
  readOvnSettings,
  type Answer,
  type OvnSettings,
  type SouthboundAnswer,
  type StaleFlowFacts,
  type SwitchFacts,
} from '@smalt/switch-health';

import { known, unknown } from '../observe/answer.ts';
import { interfaceIds } from '../observe/interface-ids.ts';
import type { SourceMetrics } from '../observe/source-metrics.ts';
import type { SouthboundOptions } from '../ovs-agent-options.ts';
import { nextScanMs } from './plan-scan.ts';
import { scanFlows } from './scan-flows.ts';
import { SouthboundSession, southboundTarget } from './southbound-session.ts';
import type { SouthboundTrouble } from './southbound-trouble.ts';

/** How often it is looked whether the database is elsewhere, or other ports are ours. */
const LOOK_MS = 2_000;
const NOT_YET: SouthboundTrouble = { why: 'it was not reached yet', obstacle: 'ours' };
/** However much changes, it is not looked more often than this. */
const PAUSE_MS = 200;
/** How often it is looked whether a scan can be made that could not. */
const RETRY_MS = 10_000;

export interface SouthboundWatchOptions extends SouthboundOptions {
  readonly root: string;
  /** 0 never scans. */
  readonly scanMs: number;
  readonly openFlow: (bridge: string, signal: AbortSignal) => Promise<OpenFlowConnection>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly metrics: SourceMetrics;
}

/** What the southbound database itself says of this node, and which flows it does not explain. */
export class SouthboundWatch {
  readonly #options: SouthboundWatchOptions;
  readonly #listeners = new Set<() => void>();
  /** Rings when the database says something new: that a port is bound to a chassis whose name is not known, perhaps. */
  readonly #changed: WakeUp;
  #session: SouthboundSession | undefined;
  #settings: OvnSettings | undefined;
  #failure: SouthboundTrouble | undefined = NOT_YET;
  #facts: SouthboundAnswer;
  #staleFlows: Answer<StaleFlowFacts> | undefined;

  constructor(options: SouthboundWatchOptions) {
    this.#options = options;
    this.#changed = new WakeUp(options.clock);
    this.#facts = { ...unknown(NOT_YET.why, undefined, options.clock), obstacle: NOT_YET.obstacle };
  }

  get facts(): SouthboundAnswer {
    const { clock } = this.#options;
    const trouble = this.#failure ?? this.#session?.obstacle;
    const session = trouble === undefined ? this.#session : undefined;
    if (session === undefined) {
      const { why, obstacle } = trouble ?? { why: 'OVN has no ovn-remote here', obstacle: 'unconfigured' };
      this.#facts = { ...unknown(why, this.#facts, clock), obstacle };
    } else {
      this.#facts = { kind: 'known', value: session.facts, at: clock.now() };
    }
    return this.#facts;
  }

  /** The result of the last scan; undefined until there was one. */
  get staleFlows(): Answer<StaleFlowFacts> | undefined {
    return this.#staleFlows;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Watches until the signal fires. `read` tells what is known of the switch. */
  async run(read: () => SwitchFacts, signal: AbortSignal): Promise<void> {
    const scanning = this.#options.scanMs > 0 ? this.#keepScanning(read, signal) : Promise.resolve();
    try {
      while (!signal.aborted) {
        await this.#look(read(), signal);
        await this.#options.clock.wait(PAUSE_MS, signal).catch(() => undefined);
        await this.#changed.wait(LOOK_MS, signal);
      }
      await scanning;
    } finally {
      await this.#session?.[Symbol.asyncDispose]();
      this.#session = undefined;
      this.#settings = undefined;
    }
  }

  async #look({ configuration }: SwitchFacts, signal: AbortSignal): Promise<void> {
    if (configuration === undefined) return;
    const settings = readOvnSettings(configuration);
    try {
      if (settings.remote !== this.#settings?.remote || settings.chassis !== this.#settings?.chassis) {
        await this.#reopen(settings);
      }
      await this.#session?.follow(interfaceIds(configuration), signal);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.metrics.countFailure('southbound');
      this.#options.ignore(error, 'the facts say that the southbound database could not be asked');
    }
  }

  async #reopen(settings: OvnSettings): Promise<void> {
    await this.#session?.[Symbol.asyncDispose]();
    this.#session = undefined;
    this.#settings = settings;
    this.#staleFlows = undefined;
    try {
      this.#session = this.#open(settings);
      this.#failure = undefined;
    } catch (error) {
      this.#failure = { why: `external_ids:ovn-remote of Open_vSwitch: ${messageOf(error)}`, obstacle: 'ours' };
    }
    if (this.#failure === undefined && settings.remote !== undefined && this.#session === undefined) {
      const why = 'ssl: remotes are not read without southbound.authority, the file of who signed their certificates';
      this.#options.logger.info({ remote: settings.remote }, `the southbound database is not read: ${why}`);
      this.#failure = { why, obstacle: 'unconfigured' };
    }
    this.#announce();
  }

  /** Undefined where there is nothing to open, or nothing to open it with. */
  #open({ remote, chassis }: OvnSettings): SouthboundSession | undefined {
    const { metrics, tls } = this.#options;
    if (remote === undefined) return undefined;
    const isEncrypted = parseRemote(remote).endpoints.every(({ kind }) => kind === 'ssl');
    if (isEncrypted && tls === undefined) return undefined;
    const onReconnect = (): void => metrics.countReconnect('southbound');
    const onChange = (): void => {
      this.#changed.ring();
      this.#announce();
    };
    return new SouthboundSession({ ...this.#options, tls, remote, chassis, onChange, onReconnect });
  }

  async #keepScanning(read: () => SwitchFacts, signal: AbortSignal): Promise<void> {
    const { clock, scanMs, random } = this.#options;
    // The first one soon, but not all of a fleet at once.
    let delayMs = Math.min(scanMs, 60_000) * random();
    while (!signal.aborted) {
      await clock.wait(delayMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      if (!(await this.#scan(read(), signal))) {
        delayMs = Math.min(scanMs, RETRY_MS);
        continue;
      }
      const last = this.#staleFlows?.kind === 'known' ? this.#staleFlows.value : undefined;
      const hasFindings = last !== undefined && (last.unexplained?.size ?? 0) + last.missingPorts.size > 0;
      delayMs = nextScanMs({ scanMs, flows: last?.scanned ?? 0, hasFindings, random: random() });
    }
  }

  /** Returns whether there was something to scan. */
  async #scan(facts: SwitchFacts, signal: AbortSignal): Promise<boolean> {
    const { clock, metrics, root, tls, ignore } = this.#options;
    const { remote, integrationBridge = 'br-int' } = this.#settings ?? {};
    const tables = facts.flowTables.get(integrationBridge);
    if (remote === undefined || tables?.kind !== 'known') return false;
    const isAway = this.#session === undefined || this.#session.obstacle !== undefined;
    const startedAt = clock.monotonic();
    try {
      const found = await scanFlows(
        {
          openFlow: (until) => this.#options.openFlow(integrationBridge, until),
          tables: tables.value.map(({ table }) => table),
          ports: portNumbers(facts, integrationBridge),
          southbound: isAway ? undefined : { target: southboundTarget({ remote, root }), tls },
          clock,
          ignore,
        },
        signal,
      );
      this.#staleFlows = known(found, clock);
      metrics.observeRefresh('stale-scan', (clock.monotonic() - startedAt) / 1_000);
    } catch (error) {
      if (signal.aborted) return false;
      metrics.countFailure('stale-scan');
      this.#staleFlows = unknown(error, this.#staleFlows, clock);
    }
    this.#announce();
    return true;
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }
}

function portNumbers({ configuration }: SwitchFacts, bridge: string): ReadonlySet<number> {
  const ports = configuration?.bridges.find(({ name }) => name === bridge)?.ports ?? [];
  return new Set(
    ports.flatMap(({ interfaces }) => interfaces).flatMap(({ ofport }) => (ofport === undefined ? [] : Number(ofport))),
  );
}
