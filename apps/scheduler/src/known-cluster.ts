import { keyOf, type ObjectChange, type ObjectKey } from '@smalt/controller-runtime';
import { ClaimIndex, Cluster, isEndedPod, isInvalidObject, placeIn, type Placement, type Pod } from '@smalt/placement';

import { mayMakeRoom } from './cluster-node.ts';
import { mayMoveClaim } from './cluster-volume.ts';
import type { ScheduledPod } from './scheduled-pod.ts';
import type { SchedulerContext } from './scheduler-context.ts';

type KnownContext = Pick<
  SchedulerContext,
  'pods' | 'nodes' | 'namespaces' | 'claims' | 'volumes' | 'classes' | 'ignore'
>;

/** The nodes and what is on them, fed by watches and by what was decided and is not seen yet. */
export class KnownCluster {
  readonly #context: KnownContext;
  readonly #claims = new ClaimIndex();
  readonly #cluster = new Cluster(this.#claims);
  /** The uids of pods whose node the API knows by us and that the cache shows without one yet. */
  readonly #bound = new Map<ObjectKey, string | undefined>();

  /** `onRoom` is called when a pod that fitted nowhere may fit now. */
  constructor(context: KnownContext, onRoom: () => void) {
    this.#context = context;
    context.nodes.onChange((change) => {
      const { key, current } = change;
      const leaveOut = (): void => this.#cluster.removeNode(key);
      if (current === undefined) leaveOut();
      else this.#take(() => this.#cluster.setNode(current), leaveOut);
      if (mayMakeRoom(change)) onRoom();
    });
    context.namespaces.onChange(({ key, current }) => {
      if (current === undefined) this.#cluster.removeNamespace(key);
      else this.#cluster.setNamespace(key, current.metadata.labels ?? {});
    });
    context.pods.onChange((change) => {
      this.#takePod(change.key, change.current);
      if (mayChangeFit(change)) onRoom();
    });
    this.#followVolumes(onRoom);
  }

  /** Chooses a node and counts the pod there at once, so that the next one sees it. */
  place(pod: ScheduledPod): Placement {
    const placement = placeIn(this.#cluster, pod);
    if (placement.kind === 'placed') this.#cluster.assume(pod, placement.nodeName);
    return placement;
  }

  /** The API has taken the node on: it need not be asked for again though the cache does not show it yet. */
  confirm(pod: ScheduledPod): void {
    const seen = this.#context.pods.cache.get(keyOf(pod));
    if (seen !== undefined && !isOnNode(seen)) this.#bound.set(keyOf(pod), pod.metadata.uid);
  }

  /** The API has not taken the node on: what it shows counts again. */
  forget(pod: ScheduledPod): void {
    const key = keyOf(pod);
    this.#bound.delete(key);
    this.#cluster.removePod(key);
    this.#takePod(key, this.#context.pods.cache.get(key));
  }

  isBound(pod: ScheduledPod): boolean {
    const key = keyOf(pod);
    return this.#bound.has(key) && this.#bound.get(key) === pod.metadata.uid;
  }

  #followVolumes(onRoom: () => void): void {
    const { claims, volumes, classes } = this.#context;
    claims.onChange((change) => {
      const { key, current } = change;
      if (current === undefined) this.#claims.removeClaim(key);
      else this.#claims.setClaim(key, current);
      if (mayMoveClaim(change)) onRoom();
    });
    volumes.onChange((change) => {
      const { key, current } = change;
      if (current === undefined) this.#claims.removeVolume(key);
      else this.#claims.setVolume(current);
      if (mayMoveClaim(change)) onRoom();
    });
    classes.onChange(({ key, current }) => {
      if (current === undefined) this.#claims.removeClass(key);
      else this.#claims.setClass(current);
      onRoom();
    });
  }

  #takePod(key: ObjectKey, pod: ScheduledPod | undefined): void {
    if (pod === undefined || isOnNode(pod)) this.#bound.delete(key);
    const leaveOut = (): void => this.#cluster.removePod(key);
    if (pod === undefined) leaveOut();
    else this.#take(() => this.#cluster.setPod(pod), leaveOut);
  }

  #take(set: () => void, leaveOut: () => void): void {
    try {
      set();
    } catch (error) {
      if (!isInvalidObject(error)) throw error;
      this.#context.ignore(error, 'an object that cannot be read is left out of placement');
      leaveOut();
    }
  }
}

function isOnNode(pod: Pod | undefined): boolean {
  return pod?.spec.nodeName !== undefined && pod.spec.nodeName !== '';
}

/** Whether others may fit after this change: room came free, or a pod that rules are about came, went or changed. */
function mayChangeFit({ old, current }: ObjectChange<ScheduledPod>): boolean {
  if (!isOnNode(old) && !isOnNode(current)) return false;
  if (old === undefined || current === undefined || old.spec.nodeName !== current.spec.nodeName) return true;
  return old.metadata.labels !== current.metadata.labels || isEndedPod(old) !== isEndedPod(current);
}
