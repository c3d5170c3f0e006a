import { dirname, join } from 'node:path';

import { done, requeueAfter, type Clock, type Outcome } from '@smalt/controller-runtime';
import { writeFileSafely } from '@smalt/files';
import type { KubeClient } from '@smalt/kube';

import type { LocalPods } from '../pods/local-pods.ts';
import { hasEnded, type RunnerPod, type RunnerVolume } from '../pods/pod.ts';
import type { TokenSource } from '../volumes/file-source.ts';
import { volumePath } from '../volumes/prepare-volumes.ts';
import type { TokenIssuer, TokenPlace } from '../volumes/read-files.ts';
import { volumeSource } from '../volumes/volume-source.ts';
import { renewAfterMs } from './renewal.ts';
import { requestToken } from './request-token.ts';

export interface PodTokensOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly local: Pick<LocalPods, 'state' | 'directory'>;
  readonly pods: { get(key: string): RunnerPod | undefined };
}

/** When the tokens of a pod are due, by where they lie, in milliseconds of the clock that never jumps. */
interface DueTimes {
  readonly uid: string;
  readonly byPlace: Map<string, number>;
}

/** The tokens in the volumes of pods: gets them, and renews them while their pods run. */
export class PodTokens implements TokenIssuer {
  readonly #options: PodTokensOptions;
  readonly #due = new Map<string, DueTimes>();

  constructor(options: PodTokensOptions) {
    this.#options = options;
  }

  async issue({ pod, volumeName }: TokenPlace, source: TokenSource, signal: AbortSignal): Promise<string> {
    const { client, clock } = this.#options;
    const askedAt = clock.monotonic();
    const { token, expirationSeconds } = await requestToken(client, pod, source, signal);
    const dueAt = askedAt + renewAfterMs(expirationSeconds);
    this.#timesOf(pod).byPlace.set(placeOf(volumeName, source), dueAt);
    return token;
  }

  /**
   * Renews what is due in the volumes of one pod and comes back for the rest. Those that another runner has got are of
   * unknown age, and due.
   */
  async reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const { pods, local, clock } = this.#options;
    const pod = pods.get(key);
    if (pod === undefined) this.#due.delete(key);
    if (pod === undefined || hasEnded(pod)) return done;
    const { uid = '' } = pod.metadata;
    if ((await local.state(uid)).kind !== 'running') return done;
    const { byPlace } = this.#timesOf(pod);
    for (const { volumeName, source } of tokensOf(pod)) {
      const dueAt = byPlace.get(placeOf(volumeName, source)) ?? clock.monotonic();
      if (dueAt > clock.monotonic()) continue;
      const token = await this.issue({ pod, volumeName }, source, signal);
      await replaceFile(volumePath(local.directory(uid), volumeName), source.path, token);
    }
    return byPlace.size === 0 ? done : requeueAfter(Math.max(0, Math.min(...byPlace.values()) - clock.monotonic()));
  }

  #timesOf({ metadata }: RunnerPod): DueTimes {
    const key = `${metadata.namespace ?? ''}/${metadata.name}`;
    const known = this.#due.get(key);
    if (known !== undefined && known.uid === metadata.uid) return known;
    const times = { uid: metadata.uid ?? '', byPlace: new Map<string, number>() };
    this.#due.set(key, times);
    return times;
  }
}

interface VolumeToken {
  readonly volumeName: string;
  readonly source: TokenSource;
}

/** Whether a pod has a volume of the kind that tokens are in. */
export function hasProjectedVolume(pod: RunnerPod | undefined): boolean {
  return projectedVolumes(pod).length > 0;
}

function projectedVolumes(pod: RunnerPod | undefined): readonly RunnerVolume[] {
  return (pod?.spec.volumes ?? []).filter((volume) => volume['projected'] !== undefined);
}

function tokensOf(pod: RunnerPod): readonly VolumeToken[] {
  return projectedVolumes(pod).flatMap((volume) => {
    const source = volumeSource(volume);
    if (source.kind !== 'projected') return [];
    return source.sources.flatMap((each) => (each.kind === 'token' ? [{ volumeName: volume.name, source: each }] : []));
  });
}

function placeOf(volumeName: string, { path }: TokenSource): string {
  return `${volumeName}/${path}`;
}

/** Whoever reads it meanwhile sees one or the other, and nothing else in the volume. */
async function replaceFile(volume: string, path: string, content: string): Promise<void> {
  // No pod outlives a loss of power, and no token its pod.
  await writeFileSafely(join(volume, path), content, { draftDirectory: dirname(volume), isDurable: false });
}
