import { isOver, type Incident } from '@smalt/failure-detection';

import { isAwake, type SimulatedHost } from './simulated-host.ts';
import type { Stage } from './stage.ts';

const MINUTE = 60_000;

/** Those who run the fleet. They look every few minutes, repair what is broken, and only say what is true. */
export class People {
  readonly #stage: Stage;
  readonly #planned = new Set<string>();
  /** Whether they use maintenance, pauses and other switches, or only repair. */
  readonly #isBusy: boolean;

  constructor(stage: Stage, isBusy: boolean) {
    this.#stage = stage;
    this.#isBusy = isBusy;
  }

  /** One round through the house. */
  visit(): void {
    const { dice, store, world } = this.#stage;
    for (const incident of store.incidents.values()) {
      if (!isOver(incident)) this.#attend(incident);
      else if (dice.chance(0.5)) this.#release(incident);
    }
    for (const host of world.hosts) this.#repair(host);
    if (!this.#isBusy || this.#stage.isCalm) return;
    if (dice.chance(0.08)) this.#maintain(dice.pick(world.hosts));
    if (dice.chance(0.05)) this.#pause();
    if (dice.chance(0.1)) this.#switchOff(dice.pick(world.hosts));
  }

  /** Does what an incident asks a person for: goes there, makes sure that it is off, and says so. */
  #attend(incident: Incident): void {
    const { dice, store, world, story } = this.#stage;
    if (incident.wait?.needsPerson !== true || !dice.chance(0.5)) return;
    const at = this.#clock();
    if (at === undefined) return;
    const host = world.host(incident.host);
    const isClosed = isAwake(host) ? dice.chance(0.7) : dice.chance(0.15);
    const decision = { host: incident.host, incidentId: incident.id, by: 'ann', note: 'seen', at };
    if (isClosed) {
      story.tell(`ann closes ${incident.id}`);
      store.decisions.push({ ...decision, kind: 'close' });
      return;
    }
    world.powerOff(host, 'by hand');
    story.tell(`ann says that ${host.name} is off, for ${incident.id}`);
    store.decisions.push({ ...decision, kind: 'host-is-off' });
  }

  #release(incident: Incident): void {
    const { store, world, nova, story } = this.#stage;
    if (store.hosts.get(incident.host)?.heldBy !== incident.id || !isAwake(world.host(incident.host))) return;
    const host = world.host(incident.host);
    const remains = nova.evacuations.some((each) => each.source === host.name && each.status === 'done');
    // Nova clears away remains only when its compute service starts.
    if (remains && host.isComputeRunning) nova.computeStarted(host);
    const at = this.#clock();
    const isSaid = store.decisions.some((each) => each.incidentId === incident.id && each.kind === 'release');
    if (at === undefined || isSaid) return;
    story.tell(`ann releases ${incident.host}`);
    const decision = { host: incident.host, incidentId: incident.id, by: 'ann', note: 'repaired', at };
    store.decisions.push({ ...decision, kind: 'release' });
  }

  /** Brings a host back that is off, mostly when nothing more is done about it. */
  #repair(host: SimulatedHost): void {
    const { dice, store, world, kubernetes } = this.#stage;
    if (host.isBooted || this.#planned.has(host.name)) return;
    const isOpen = [...store.incidents.values()].some((each) => each.host === host.name && !isOver(each));
    const isDue = dice.chance(isOpen ? 0.02 : 0.35);
    if (!isDue || kubernetes.object(host.name).maintenance === 'manual') return;
    host.hasMains = true;
    world.boot(host);
  }

  /** Takes a host away on purpose, and gives it back later. */
  #maintain(host: SimulatedHost): void {
    const { dice, kubernetes, scheduler, world } = this.#stage;
    if (kubernetes.isDown || kubernetes.object(host.name).maintenance !== '' || !isAwake(host)) return;
    kubernetes.change(host.name, { maintenance: 'manual' });
    this.#planned.add(host.name);
    scheduler.after(30_000, () => {
      if (kubernetes.object(host.name).maintenance === 'manual') world.powerOff(host, 'for maintenance');
    });
    scheduler.after(dice.between(3, 10) * MINUTE, () => this.#giveBack(host));
  }

  #giveBack(host: SimulatedHost): void {
    const { kubernetes, world, scheduler, dice } = this.#stage;
    this.#planned.delete(host.name);
    world.boot(host);
    // The word is taken back only when the host has been heard again.
    scheduler.after(dice.between(1, 3) * MINUTE, () => {
      if (kubernetes.object(host.name).maintenance === 'manual') kubernetes.change(host.name, { maintenance: '' });
    });
  }

  #pause(): void {
    const stage = this.#stage;
    if (stage.pausedSince !== undefined) return;
    const isPaused = stage.dice.chance(0.6);
    stage.story.tell(isPaused ? 'ann pauses everything' : 'ann asks for a dry run');
    stage.store.switches = { isPaused, isDryRun: !isPaused };
    stage.pausedSince = stage.scheduler.now;
    stage.trouble('nothing is to be done', stage.dice.between(1, 6) * MINUTE, () => {
      stage.store.switches = { isPaused: false, isDryRun: false };
      stage.pausedSince = undefined;
    });
  }

  #switchOff(host: SimulatedHost): void {
    const { kubernetes, dice, scheduler } = this.#stage;
    if (kubernetes.isDown || !kubernetes.object(host.name).isHighlyAvailable) return;
    kubernetes.change(host.name, { isHighlyAvailable: false });
    scheduler.after(dice.between(3, 10) * MINUTE, () => kubernetes.change(host.name, { isHighlyAvailable: true }));
  }

  /** The clock of the replica that takes their word; undefined when none does. */
  #clock(): number | undefined {
    return this.#stage.replicas.find(({ isReceiving }) => isReceiving)?.process?.now();
  }
}
