import { isOver, type Incident } from '@smalt/failure-detection';

import { makeRoom, setRecordsRight } from './mend-nova.ts';
import { evacuate } from './nova-evacuate.ts';
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
    if (dice.chance(0.08)) this.#switchOff(dice.pick(world.hosts));
    if (dice.chance(0.05)) this.#offboard(dice.pick(world.hosts));
    for (const host of world.hosts) if (!host.isPowered && dice.chance(0.1)) this.#evacuateByHand(host);
  }

  /** Does what an incident asks a person for: goes there, makes sure that it is off, and says so. */
  #attend(incident: Incident): void {
    const { dice, store, world, story } = this.#stage;
    if (incident.wait?.reason === 'no-room' && dice.chance(0.4)) makeRoom(this.#stage);
    if (incident.wait?.needsPerson !== true || !dice.chance(0.5)) return;
    if (incident.wait.reason === 'overdue') return setRecordsRight(this.#stage, incident);
    if (incident.wait.reason === 'no-reserved-host' && dice.chance(0.5)) return this.#reserveAgain();
    if (!this.#isHeard()) return;
    const now = this.#stage.storeNow();
    const host = world.host(incident.host);
    const isClosed = incident.wait.reason === 'no-reserved-host' || dice.chance(isAwake(host) ? 0.7 : 0.15);
    const decision = { host: incident.host, incidentId: incident.id, by: 'ann', note: 'seen' };
    if (isClosed) {
      story.tell(`ann closes ${incident.id}`);
      store.addDecision({ ...decision, kind: 'close' }, now);
      return;
    }
    world.powerOff(host, 'by hand');
    story.tell(`ann says that ${host.name} is off, for ${incident.id}`);
    store.addDecision({ ...decision, kind: 'host-is-off' }, now);
    this.#stage.weakening.onWord?.(this.#stage, host);
  }

  #release(incident: Incident): void {
    const { store, world, nova, story } = this.#stage;
    if (store.hosts.get(incident.host)?.heldBy !== incident.id || !isAwake(world.host(incident.host))) return;
    const host = world.host(incident.host);
    setRecordsRight(this.#stage, incident);
    const remains = nova.evacuations.some((each) => each.source === host.name && each.status === 'done');
    // Nova clears away remains only when its compute service starts.
    if (remains && host.isComputeRunning) nova.computeStarted(host);
    const isSaid = store.decisions.some((each) => each.incidentId === incident.id && each.kind === 'release');
    if (!this.#isHeard() || isSaid) return;
    story.tell(`ann releases ${incident.host}`);
    const decision = { host: incident.host, incidentId: incident.id, by: 'ann', note: 'repaired' };
    store.addDecision({ ...decision, kind: 'release' }, this.#stage.storeNow());
  }

  /** Brings a host back that is off, mostly when nothing more is done about it. */
  #repair(host: SimulatedHost): void {
    const { dice, store, world, kubernetes } = this.#stage;
    if (host.isBooted || this.#planned.has(host.name)) return;
    // What nothing stands in the way of, the service has to do.
    if (this.#stage.isCalm && this.#isForService(host)) return;
    const isOpen = [...store.incidents.values()].some((each) => each.host === host.name && !isOver(each));
    // Those that the service has still to recover are left to it for a while.
    const isAwaited = !this.#stage.isCalm && this.#stage.nova.hasRelevant(host.name);
    const isDue = dice.chance(isOpen ? 0.02 : isAwaited ? 0.1 : 0.5);
    if (!isDue || kubernetes.object(host.name).maintenance === 'manual') return;
    host.hasMains = true;
    world.boot(host);
  }

  /** One that died alone is recovered; of several the brakes hold back some until others are repaired. */
  #isForService(host: SimulatedHost): boolean {
    const { world, nova, store } = this.#stage;
    const dead = world.hosts.filter((each) => !each.isBooted && nova.hasRelevant(each.name));
    const held = store.hosts.get(host.name)?.heldBy;
    const isHeld = held !== undefined && store.incidents.get(held)?.closedAt !== undefined;
    return dead[0] === host && dead.length === 1 && !isHeld;
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
    if (stage.pause !== undefined) return;
    const isPaused = stage.dice.chance(0.6);
    stage.story.tell(isPaused ? 'ann pauses everything' : 'ann asks for a dry run');
    stage.store.switches = { isPaused, isDryRun: !isPaused };
    stage.pause = { since: stage.scheduler.now, isDryRun: !isPaused };
    stage.trouble('nothing is to be done', stage.dice.between(1, 6) * MINUTE, () => {
      stage.store.switches = { isPaused: false, isDryRun: false };
      stage.pause = undefined;
    });
  }

  /** By its object, or by the service's own API. */
  #switchOff(host: SimulatedHost): void {
    const { kubernetes, dice, scheduler, store, switchedOffAt, story } = this.#stage;
    if (dice.chance(0.5)) {
      if (switchedOffAt.has(host.name)) return;
      story.tell(`ann switches ${host.name} off at the service`);
      store.changeHost(host.name, { isSwitchedOn: false });
      switchedOffAt.set(host.name, scheduler.now);
      scheduler.after(dice.between(3, 10) * MINUTE, () => {
        store.changeHost(host.name, { isSwitchedOn: true });
        switchedOffAt.delete(host.name);
      });
      return;
    }
    if (kubernetes.isDown || !kubernetes.object(host.name).isHighlyAvailable) return;
    kubernetes.change(host.name, { isHighlyAvailable: false });
    scheduler.after(dice.between(3, 10) * MINUTE, () => kubernetes.change(host.name, { isHighlyAvailable: true }));
  }

  #offboard(host: SimulatedHost): void {
    const { kubernetes, dice, scheduler } = this.#stage;
    if (kubernetes.isDown || !kubernetes.object(host.name).isOnboarded) return;
    kubernetes.change(host.name, { isOnboarded: false });
    scheduler.after(dice.between(3, 10) * MINUTE, () => kubernetes.change(host.name, { isOnboarded: true }));
  }

  /** Somebody who sees that a host is off does not wait for the service; not while that asks for the same itself. */
  #evacuateByHand(host: SimulatedHost): void {
    const { nova, world, store, story } = this.#stage;
    const isTaken = [...store.incidents.values()].some(
      (each) => each.host === host.name && (each.state === 'forcing-down' || each.state === 'rebuilding'),
    );
    const server = nova.relevantOn(host.name).find((each) => {
      // She knows that what is off would come up running.
      return !each.isMeantOff && nova.openEvacuation(each.id) === undefined;
    });
    if (isTaken || server === undefined || nova.isDown || nova.awayHosts.has(host.name)) return;
    if (nova.isUp(nova.service(host.name))) return;
    story.tell(`ann evacuates ${server.id} herself`);
    evacuate(nova, world, server.id, undefined);
  }

  /** Says of a reserved host that was used that it is free again. */
  #reserveAgain(): void {
    const { store, story } = this.#stage;
    const used = [...store.documents.keys()].find((key) => key.startsWith('used-reserved-host/'));
    if (used === undefined) return;
    story.tell(`ann frees ${used}`);
    store.documents.delete(used);
  }

  /** Whether any replica takes their word. */
  #isHeard(): boolean {
    return this.#stage.replicas.some(({ isReceiving }) => isReceiving);
  }
}
