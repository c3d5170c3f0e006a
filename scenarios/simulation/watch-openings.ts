import { isOver, type Incident } from '@smalt/failure-detection';
import type { EngineSettings } from '@smalt/ha-service';

import type { ActingReplica } from './acting-replica.ts';
import type { MemoryStore } from './memory-store.ts';
import type { Scheduler } from './scheduler.ts';
import type { Story } from './story.ts';
import type { World } from './world.ts';

/** The request of one that was killed may still arrive when another has read what there is. */
const LATE_MS = 90_000;

/** What it has to see of the stage. */
export interface OpeningsStage {
  readonly world: World;
  readonly scheduler: Scheduler;
  readonly story: Story;
  readonly store: MemoryStore;
  readonly storeServer: { readonly hasJumped: boolean };
  readonly soundSettings: EngineSettings;
}

/** Watches how many incidents are opened, and how soon after each other. */
export class Openings {
  readonly #stage: OpeningsStage;
  readonly #asked: { readonly id: string; readonly at: number; readonly by: string }[] = [];

  constructor(stage: OpeningsStage) {
    this.#stage = stage;
  }

  /** A replica asks for an incident to be stored. */
  ask(replica: ActingReplica, incident: Incident): void {
    const { scheduler, soundSettings, story, world } = this.#stage;
    const by = replica.process?.name ?? replica.name;
    const { maximumOpen, maximumOpenPerDomain, intervalMs } = soundSettings.detection.brakes;
    const complain = (rule: string) => story.violate(`${incident.id} of ${incident.host} is opened ${rule}`);
    const known = this.#asked.filter((each) => each.by === by || scheduler.now - each.at > LATE_MS);
    // The store answers that there is one already.
    if (this.#isTaken(incident.host)) return;
    const open = known
      .flatMap(({ id }) => this.#stored(id))
      .filter((each) => !isOver(each) && each.wait?.needsPerson !== true);
    if (open.length >= maximumOpen) complain(`while ${open.length} are open and ${maximumOpen} may be`);
    const { rack } = world.host(incident.host);
    const inRack = open.filter(({ host }) => world.host(host).rack === rack).length;
    if (inRack >= maximumOpenPerDomain) {
      complain(`while ${inRack} of ${rack} are open and ${maximumOpenPerDomain} may be`);
    }
    const last = known.findLast(({ id }) => this.#stored(id).length > 0);
    const sinceMs = scheduler.now - (last?.at ?? Number.NEGATIVE_INFINITY);
    if (sinceMs < intervalMs && !this.#stage.storeServer.hasJumped) complain(`${sinceMs} ms after the last one`);
    this.#asked.push({ id: incident.id, at: scheduler.now, by });
  }

  #isTaken(host: string): boolean {
    return [...this.#stage.store.incidents.values()].some((each) => each.host === host && !isOver(each));
  }

  #stored(id: string): readonly Incident[] {
    const stored = this.#stage.store.incidents.get(id);
    return stored === undefined ? [] : [stored];
  }
}
