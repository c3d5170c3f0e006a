import type { EnginePorts, EngineSettings } from '@smalt/ha-service';

import type { Dice } from './dice.ts';
import { MemoryStore } from './memory-store.ts';
import type { ActingReplica } from './acting-replica.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimulatedHost } from './simulated-host.ts';
import { SimulatedKubernetes } from './simulated-kubernetes.ts';
import { SimulatedNova } from './simulated-nova.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { Openings } from './watch-openings.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** A way to take a check out of the program under test, to see whether that is noticed. */
export interface Weakening {
  readonly settings?: (settings: EngineSettings) => EngineSettings;
  readonly ports?: (ports: EnginePorts, stage: Stage, process: SimulatedProcess) => EnginePorts;
  /** What befalls the house whenever a person has said that a host is off. */
  readonly onWord?: (stage: Stage, host: SimulatedHost) => void;
}

/** The server of the store, which can be away or slow, and whose clock can be wrong. */
export interface StoreServer {
  isDown: boolean;
  delayMs: number;
  clockOffsetMs: number;
  /** Whether its clock was ever set, and until when what is old may seem young because of that. */
  hasJumped: boolean;
  youngUntil: number;
}

/** Everything that takes part in one story. */
export class Stage {
  readonly world: World;
  readonly nova: SimulatedNova;
  readonly kubernetes: SimulatedKubernetes;
  readonly store: MemoryStore = new MemoryStore();
  readonly storeServer: StoreServer = {
    isDown: false,
    delayMs: 40,
    clockOffsetMs: 0,
    hasJumped: false,
    youngUntil: 0,
  };
  readonly lease: { holder: string | undefined; renewedAt: number } = {
    holder: undefined,
    renewedAt: Number.NEGATIVE_INFINITY,
  };
  readonly replicas: ActingReplica[] = [];
  readonly settings: EngineSettings;
  /** The settings before anything was taken out of them. */
  readonly soundSettings: EngineSettings;
  readonly weakening: Weakening;
  /** Set when nothing new may go wrong any more. */
  isCalm = false;
  /** Since when a person has paused everything, or wants to see only what would be done. */
  pause: { readonly since: number; readonly isDryRun: boolean } | undefined;
  /** Since when the service has been told to leave a host alone, by its own API. */
  readonly switchedOffAt: Map<string, number> = new Map();
  /** The hosts that write a kernel dump, as whoever listens for that is told. */
  readonly kdumps: Map<string, { readonly since: number; readonly until: number }> = new Map();
  /** When the storage monitor was read, the newest last. */
  readonly monitorReads: number[] = [];
  readonly openings: Openings;

  constructor(world: World, settings: EngineSettings, weakening: Weakening) {
    this.world = world;
    this.nova = new SimulatedNova(world);
    this.kubernetes = new SimulatedKubernetes(world, this.nova);
    this.settings = weakening.settings?.(settings) ?? settings;
    this.soundSettings = settings;
    this.weakening = weakening;
    this.openings = new Openings(this);
  }

  get scheduler(): Scheduler {
    return this.world.scheduler;
  }

  get dice(): Dice {
    return this.world.dice;
  }

  get story(): Story {
    return this.world.story;
  }

  /** The store's own idea of the time. */
  storeNow(): number {
    return this.scheduler.now + this.storeServer.clockOffsetMs;
  }

  /** Something goes wrong for a while. */
  trouble(what: string, forMs: number, end: () => void): void {
    this.story.tell(`trouble: ${what}, for ${Math.round(forMs / 1000)} s`);
    this.scheduler.after(forMs, () => {
      this.story.tell(`over: ${what}`);
      end();
    });
  }
}
