import type { ClusterHost, ClusterPort, ClusterView } from '@smalt/ha-service';
import { KubeError } from '@smalt/kube';

import { hostPath, servicePath } from './network.ts';
import { identityOf } from './nova-port.ts';
import { giveSign, isAwake, lastSign, type SimulatedHost } from './simulated-host.ts';
import type { SimulatedNova } from './simulated-nova.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { World } from './world.ts';

type Statement = NonNullable<ClusterHost['haEnabled']>;

/** A Hypervisor object, and since when its switches have been as they are. */
export interface HypervisorObject {
  readonly host: string;
  readonly isLifecycleEnabled: boolean;
  readonly conditions: Map<string, Statement>;
  isHighlyAvailable: boolean;
  isOnboarded: boolean;
  maintenance: string;
  /** Since when each of its switches has been as it is. */
  readonly changedAt: Record<'maintenance' | 'isHighlyAvailable' | 'isOnboarded', number>;
  /** Goes up with every change. */
  version: number;
}

/** The API server with its objects, and the operator that goes by them. */
export class SimulatedKubernetes {
  readonly objects: Map<string, HypervisorObject> = new Map();
  readonly #world: World;
  readonly #nova: SimulatedNova;
  isDown = false;

  constructor(world: World, nova: SimulatedNova) {
    this.#world = world;
    this.#nova = nova;
    for (const { name } of world.hosts) {
      const isLifecycleEnabled = world.dice.chance(0.5);
      const flags = { isLifecycleEnabled, isHighlyAvailable: true, isOnboarded: true };
      const at = Number.NEGATIVE_INFINITY;
      this.objects.set(name, {
        host: name,
        ...flags,
        conditions: new Map(),
        maintenance: '',
        changedAt: { maintenance: at, isHighlyAvailable: at, isOnboarded: at },
        version: 1,
      });
    }
  }

  object(host: string): HypervisorObject {
    const object = this.objects.get(host);
    if (object === undefined) throw new KubeError('not-found', `there is no Hypervisor ${host}`);
    return object;
  }

  renewLease(host: SimulatedHost): void {
    const isSeen = isAwake(host) && !this.isDown && this.#world.network.isWhole(hostPath(host.name, 'kubernetes'));
    if (isSeen) giveSign(host, 'lease', this.#world.scheduler.now);
  }

  change(
    host: string,
    change: Partial<Pick<HypervisorObject, 'maintenance' | 'isHighlyAvailable' | 'isOnboarded'>>,
  ): void {
    const object = this.object(host);
    const wasMaintained = object.maintenance !== '';
    const { now } = this.#world.scheduler;
    Object.assign(object, change, { version: object.version + 1 });
    if (change.maintenance !== undefined) object.changedAt.maintenance = now;
    if (change.isHighlyAvailable !== undefined) object.changedAt.isHighlyAvailable = now;
    if (change.isOnboarded !== undefined) object.changedAt.isOnboarded = now;
    this.#world.story.tell(`kubernetes: ${host} ${JSON.stringify(change)}`);
    // The operator lets a host work again as soon as nothing is said against it.
    if (wasMaintained && object.maintenance === '' && object.isLifecycleEnabled) {
      this.#world.scheduler.after(this.#world.dice.between(1_000, 10_000), () => this.#enable(object));
    }
  }

  #enable({ host, maintenance }: HypervisorObject): void {
    if (maintenance !== '' || this.isDown) return;
    const service = this.#nova.service(host);
    service.isEnabled = true;
    service.isForcedDown = false;
    service.disabledReason = undefined;
    this.#world.story.tell(`the operator enables ${host}`);
  }
}

/** Who is told what a process could learn from the cluster. */
export interface WatchObserver {
  readonly onView: (pictureAt: number) => void;
  readonly onMark: (host: string) => void;
  readonly onLoss: () => void;
}

export interface WatchOptions {
  readonly kubernetes: SimulatedKubernetes;
  readonly world: World;
  readonly process: SimulatedProcess;
  readonly replica: string;
  readonly observer: WatchObserver;
}

/** What one process sees of the cluster: a picture that is some seconds old, and older while it cannot be renewed. */
export class ClusterWatch {
  readonly port: ClusterPort;
  readonly #kubernetes: SimulatedKubernetes;
  readonly #world: World;
  readonly #process: SimulatedProcess;
  readonly #path: string;
  readonly #observer: WatchObserver;
  /** Its watch hangs without a word: the picture grows old, and seems to be new. */
  isStale = false;
  /** When it last did so. */
  staleAt: number = Number.NEGATIVE_INFINITY;
  #pictureAt = 0;
  readonly #seen = new Map<
    string,
    { readonly renewedAt: number; readonly version: number; readonly host: ClusterHost }
  >();
  #view: ClusterView = { hosts: [], reachableSince: undefined };

  constructor({ kubernetes, world, process, replica, observer }: WatchOptions) {
    this.#kubernetes = kubernetes;
    this.#world = world;
    this.#process = process;
    this.#observer = observer;
    this.#path = servicePath(replica, 'kubernetes');
    this.port = {
      view: () => {
        observer.onView(this.#pictureAt);
        return this.#view;
      },
      setMaintenance: (host, wanted, signal) =>
        this.#ask(`maintenance of ${host}`, () => this.#setMaintenance(host, wanted), signal),
      claim: (host, signal) => this.#ask(`maintenance of ${host}`, () => this.#claim(host), signal),
      state: (host, conditions, signal) =>
        this.#ask(`conditions of ${host}`, () => this.#state(host, conditions), signal),
    };
  }

  /** Brings the picture up to date, if it can be. */
  refresh(): void {
    if (!this.#process.isRunning) return;
    const isReached = !this.#kubernetes.isDown && this.#world.network.isWhole(this.#path);
    if (this.isStale) this.staleAt = this.#world.scheduler.now;
    if (isReached && this.isStale) return;
    if (!isReached) {
      this.#observer.onLoss();
      this.#view = { hosts: this.#view.hosts, reachableSince: undefined };
      return;
    }
    this.#pictureAt = this.#world.scheduler.now;
    const hosts = this.#world.hosts.map((host) => this.#look(host));
    this.#view = { hosts, reachableSince: this.#view.reachableSince ?? this.#process.now() };
  }

  #look(host: SimulatedHost): ClusterHost {
    const { name, rack } = host;
    const renewedAt = lastSign(host, 'lease');
    const object = this.#kubernetes.object(name);
    const known = this.#seen.get(name);
    if (known?.renewedAt === renewedAt && known.version === object.version) return known.host;
    // Neither the first sight of a lease nor what was renewed while nobody could watch shows when its node lived.
    const isRenewed = known !== undefined && known.renewedAt !== renewedAt && this.#view.reachableSince !== undefined;
    const seen: ClusterHost = {
      name,
      identity: identityOf(name),
      maintenance: object.maintenance,
      isHighlyAvailable: object.isHighlyAvailable,
      isLifecycleEnabled: object.isLifecycleEnabled,
      isOnboarded: object.isOnboarded,
      failureDomain: rack,
      zone: 'zone-1',
      labels: {},
      onboardingReason: object.isOnboarded ? 'Succeeded' : 'Testing',
      evicting: undefined,
      haEnabled: object.conditions.get('HaEnabled'),
      hypervisorDisabled: object.conditions.get('HypervisorDisabled'),
      leaseAliveAt: isRenewed
        ? this.#process.now()
        : (known?.host.leaseAliveAt ?? (renewedAt === undefined ? undefined : 0)),
      bmcAddress: undefined,
    };
    this.#seen.set(name, { renewedAt, version: object.version, host: seen });
    return seen;
  }

  #setMaintenance(host: string, wanted: 'ha' | ''): void {
    this.#observer.onMark(host);
    const { maintenance } = this.#kubernetes.object(host);
    if (maintenance === wanted) return;
    const isOurs = maintenance === '' || maintenance === 'ha';
    const mayTake = isOurs || (maintenance === 'termination' && wanted === 'ha');
    if (!mayTake) throw new KubeError('conflict', `spec.maintenance of ${host} is ${maintenance}, which is not ours`);
    this.#kubernetes.change(host, { maintenance: wanted });
  }

  #claim(host: string): void {
    const { isHighlyAvailable, isOnboarded } = this.#kubernetes.object(host);
    if (!isHighlyAvailable || !isOnboarded) throw new KubeError('conflict', `${host} is taken out of the watch`);
    this.#setMaintenance(host, 'ha');
  }

  #state(host: string, statements: readonly Statement[]): void {
    const object = this.#kubernetes.object(host);
    for (const statement of statements) object.conditions.set(statement.type, statement);
    object.version += 1;
  }

  #ask<T>(what: string, effect: () => T, signal: AbortSignal): Promise<T> {
    const reached = () => {
      if (this.#kubernetes.isDown) throw new KubeError('connection', 'the API server cannot be reached');
      return effect();
    };
    const call = { what: `kubernetes: ${what}`, path: this.#path, effect: reached, unanswered: timedOut };
    return this.#process.call({ ...call, delayMs: [10, 400], deadlineMs: 10_000, lossProbability: 0.005 }, signal);
  }
}

function timedOut(message: string): KubeError {
  return new KubeError('timeout', message);
}
