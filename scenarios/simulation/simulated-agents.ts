import type { SignalSample } from '@smalt/ha-service';
import type { TelemetryBatch, TelemetryEvent, TelemetryRecord, UptimeReport } from '@smalt/ha-telemetry';

import { hostPath, servicePath } from './network.ts';
import { bootIdOf, giveSign, isAwake, lastSign, type SimulatedHost } from './simulated-host.ts';
import type { ActingReplica } from './acting-replica.ts';
import type { Stage } from './stage.ts';
import { wallClock } from './true-time.ts';

const WALL_START_TEXT = wallClock(0);

/** What the agent of one host keeps on its disk. */
interface AgentQueue {
  readonly records: TelemetryRecord[];
  sequence: number;
}

/** The agents of all hosts: they number what they see, and send it until it is acknowledged. */
export class SimulatedAgents {
  readonly #stage: Stage;
  readonly #queues = new Map<string, AgentQueue>();
  /** How many events were acknowledged; each has to be stored once. */
  acknowledgedEvents = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    for (const { name } of stage.world.hosts) this.#queues.set(name, { records: [], sequence: 0 });
  }

  /** Something happens to a machine, and its host's agent sees it. */
  see(host: SimulatedHost, event: TelemetryEvent): void {
    if (isAwake(host) && host.isAgentRunning) this.#add(host, event);
  }

  report(host: SimulatedHost): void {
    if (!isAwake(host) || !host.isAgentRunning) return;
    const { now } = this.#stage.scheduler;
    const queue = this.#queue(host);
    if (queue.records.length < 50) {
      const uptimeSeconds = (now - host.bootedAt) / 1000;
      const facts = { bootId: bootIdOf(host), uptimeSeconds, agentStartedAt: WALL_START_TEXT };
      this.#add(host, { kind: 'uptime', ...facts, libvirt: 'connected' });
    }
    const receiver = this.#receiver(host);
    if (receiver !== undefined) this.#send(host, queue, receiver);
  }

  #send(host: SimulatedHost, queue: AgentQueue, receiver: ActingReplica): void {
    const { store, scheduler, world } = this.#stage;
    const first = queue.records[0];
    if (first === undefined || receiver.process === undefined) return;
    const batch: TelemetryBatch = {
      version: 1,
      node: host.name,
      epoch: 'epoch-1',
      agent: bootIdOf(host),
      firstSequence: first.sequence,
      lastSequence: queue.sequence,
      records: [...queue.records],
    };
    const storeNow = this.#stage.storeNow();
    const acknowledged = store.signals.accept({ batch, arrivedAt: 0 }, () => storeNow, storeNow);
    giveSign(host, 'batch', scheduler.now);
    // The answer may be lost: then all of it comes once more.
    if (world.dice.chance(0.02)) return;
    const sent = queue.records.filter(({ sequence }) => sequence <= acknowledged);
    this.acknowledgedEvents += sent.filter(({ kind }) => kind !== 'uptime').length;
    queue.records.splice(0, sent.length);
  }

  /** A replica that it reaches, in turn. */
  #receiver(host: SimulatedHost): ActingReplica | undefined {
    const { replicas, world } = this.#stage;
    if (!world.network.isWhole(hostPath(host.name, 'agent'))) return undefined;
    const able = replicas.filter((each) => each.isReceiving && world.network.isWhole(servicePath(each.name, 'agents')));
    return able.length === 0 ? undefined : world.dice.pick(able);
  }

  #add(host: SimulatedHost, content: TelemetryEvent | UptimeReport): void {
    const queue = this.#queue(host);
    queue.sequence += 1;
    // Nobody reads the time of a report, and to write it is what a story spends most of its time on.
    const time = content.kind === 'uptime' ? WALL_START_TEXT : wallClock(this.#stage.scheduler.now);
    queue.records.push({ ...content, sequence: queue.sequence, time });
  }

  #queue(host: SimulatedHost): AgentQueue {
    const queue = this.#queues.get(host.name);
    if (queue === undefined) throw new RangeError(`${host.name} has no agent`);
    return queue;
  }
}

/** Hands the last writes of all hosts to the store, if any replica can read them. */
export function readStorageMonitor(stage: Stage): void {
  const { replicas, world, store, scheduler } = stage;
  const isAble = replicas.some(
    (each) => each.isReceiving && world.network.isWhole(servicePath(each.name, 'storage-monitor')),
  );
  if (!isAble) return;
  const samples = world.hosts.map((host): SignalSample => ({
    host: host.name,
    source: 'storage',
    kind: 'alive',
    at: lastSign(host, 'write'),
  }));
  stage.monitorReads.push(scheduler.now);
  if (stage.monitorReads.length > 40) stage.monitorReads.shift();
  const storeNow = stage.storeNow();
  store.signals.state(samples, (at) => storeNow - (scheduler.now - at), storeNow);
}
