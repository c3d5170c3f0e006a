import { isConflict, isNotFound, type ResourceClient } from '@smalt/kube';

import type { PodCondition, RunnerPod, RunnerPodStatus } from './pod.ts';
import { isTold } from './pod-status.ts';

interface Told {
  /** The version that the write was based on. */
  readonly basedOn: string | undefined;
  readonly pod: RunnerPod;
}

/** Writes the status of pods, and only what is new in it. */
export class StatusTeller {
  readonly #pods: ResourceClient<RunnerPod>;
  readonly #told = new Map<string, Told>();

  constructor(pods: ResourceClient<RunnerPod>) {
    this.#pods = pods;
  }

  /** The pod as it is after our last write, while the cache does not show that yet. */
  newest(pod: RunnerPod): RunnerPod {
    const told = this.#told.get(pod.metadata.uid ?? '');
    return told !== undefined && told.basedOn === pod.metadata.resourceVersion ? told.pod : pod;
  }

  /** Writes a status unless the pod has it already, and says whether it did. A pod that is gone needs none. */
  async tell(pod: RunnerPod, status: RunnerPodStatus, signal: AbortSignal): Promise<boolean> {
    if (isTold(pod.status, status)) return false;
    const { name, namespace, uid = '', resourceVersion } = pod.metadata;
    // The uid is a condition here: another pod of the same name is not meant.
    const patch = { metadata: { uid }, status: patchOf(status) };
    try {
      const written = await this.#pods.patch(name, 'strategic', patch, { namespace, subresource: 'status', signal });
      this.#told.set(uid, { basedOn: resourceVersion, pod: written });
      return true;
    } catch (error) {
      if (isNotFound(error) || isConflict(error)) return false;
      throw error;
    }
  }

  forget(uid: string): void {
    this.#told.delete(uid);
  }
}

/** Fields that are left out go, which a patch has to say. */
function patchOf(status: RunnerPodStatus): object {
  const { conditions = [], reason = null, message = null, ...rest } = status;
  return { ...rest, reason, message, conditions: conditions.map(withoutOld) };
}

function withoutOld({ reason, message, ...condition }: PodCondition): object {
  return { ...condition, reason: reason ?? null, message: message ?? null };
}
