import { mkdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { done, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import { isAlreadyExists, isNotFound, type KubeClient } from '@smalt/kube';
import type { SandboxVolume } from '@smalt/pod-sandbox';
import type { Logger } from '@smalt/service-runtime';

import { PodRunnerError } from '../pod-runner-error.ts';
import { isPodUid } from '../pods/pod-uid.ts';
import type { RunnerPod } from '../pods/pod.ts';
import type { ClaimFinder } from '../volumes/prepare-volumes.ts';
import { claimKind, volumeKind, type PersistentVolume, type PersistentVolumeClaim } from '../volumes/volume-kinds.ts';
import {
  decideReclaim,
  isVolumeOf,
  localVolume,
  LOCAL_CLASS,
  NODE_LABEL,
  volumeName,
  type LocalPlace,
} from './local-volume.ts';

export interface LocalClaimsOptions extends LocalPlace {
  readonly client: KubeClient;
  readonly logger: Logger;
  /** Whether a volume at this path belongs to a pod of this node. */
  readonly usesPath: (path: string) => boolean;
}

const LOOK_AGAIN_MS = 5_000;

/** Finds the volumes of claims, makes those of the class `smalt-local` as directories of this node, and removes them. */
export class LocalClaims implements ClaimFinder {
  readonly #options: LocalClaimsOptions;

  constructor(options: LocalClaimsOptions) {
    this.#options = options;
  }

  async find(pod: RunnerPod, claimName: string, signal: AbortSignal): Promise<SandboxVolume> {
    const { client } = this.#options;
    const { namespace } = pod.metadata;
    const claim = await client
      .resource(claimKind)
      .get(claimName, { namespace, signal })
      .catch((cause: unknown) => {
        if (isNotFound(cause)) throw notReady(`the claim ${namespace ?? ''}/${claimName} is missing; create it`, cause);
        throw cause;
      });
    const { volumeName: bound } = claim.spec;
    if (bound === undefined || bound === '' || bound === volumeName(claim)) return await this.#provide(claim, signal);
    const volume = await client
      .resource(volumeKind)
      .get(bound, { signal })
      .catch((cause: unknown) => {
        // A missing volume and one of somebody else read alike: names of other tenants' volumes are not told.
        if (isNotFound(cause)) throw notBound(claim, bound, cause);
        throw cause;
      });
    if (!isVolumeOf(volume, claim)) throw notBound(claim, bound);
    return await foundVolume(volume);
  }

  /** Looks at one volume of this node, by its name: it goes with its claim. */
  async reclaim(name: string, seen: PersistentVolume | undefined, signal: AbortSignal): Promise<Outcome> {
    const { client, usesPath, volumesDirectory, logger } = this.#options;
    if (seen?.spec.hostPath === undefined) return done;
    // Asked for, not looked up: what is removed here does not come back.
    const claim = await this.#claimOf(seen, signal);
    if (decideReclaim({ volume: seen, claim, isUsed: false }) === 'keep') return done;
    const volume = await this.#sameVolume(seen, signal);
    const path = volume?.spec.hostPath?.path;
    if (volume === undefined || path === undefined) return done;
    const step = decideReclaim({ volume, claim, isUsed: usesPath(path) });
    switch (step) {
      case 'keep':
        return done;
      case 'wait':
        return requeueAfter(LOOK_AGAIN_MS);
      case 'remove': {
        const uid = volume.spec.claimRef?.uid ?? '';
        if (!isPodUid(uid) || path !== join(volumesDirectory, uid)) return done;
        logger.info({ volume: name, path }, 'removing the volume of a claim that is gone');
        await rm(path, { recursive: true, force: true });
        await client.resource(volumeKind).delete(name, { uid: volume.metadata.uid, signal }).catch(unlessGone);
        return done;
      }
    }
  }

  /**
   * A volume as it is by now; undefined when it is another one, or that of another claim: its change brings it here again. It is
   * asked for after its claim, because whoever saves a volume has it retained first and deletes the claim then.
   */
  async #sameVolume(seen: PersistentVolume, signal: AbortSignal): Promise<PersistentVolume | undefined> {
    const volume = await this.#options.client
      .resource(volumeKind)
      .get(seen.metadata.name, { signal })
      .catch(unlessGone);
    const isSame = volume?.metadata.uid === seen.metadata.uid && volume?.spec.claimRef?.uid === seen.spec.claimRef?.uid;
    return isSame ? volume : undefined;
  }

  async #claimOf({ spec }: PersistentVolume, signal: AbortSignal): Promise<PersistentVolumeClaim | undefined> {
    const { name, namespace } = spec.claimRef ?? {};
    if (name === undefined) return undefined;
    return await this.#options.client.resource(claimKind).get(name, { namespace, signal }).catch(unlessGone);
  }

  async #provide(claim: PersistentVolumeClaim, signal: AbortSignal): Promise<SandboxVolume> {
    const { nodeName, volumesDirectory } = this.#options;
    const { storageClassName = LOCAL_CLASS, volumeMode = 'Filesystem', volumeName: bound } = claim.spec;
    const { namespace, name, uid = '', labels } = claim.metadata;
    const what = `the claim ${namespace ?? ''}/${name}`;
    if (volumesDirectory === '' || storageClassName !== LOCAL_CLASS || !isPodUid(uid)) {
      throw notReady(`${what} has no volume, and nobody here makes one of the class ${storageClassName}`);
    }
    if (volumeMode !== 'Filesystem') {
      throw notReady(`${what} wants a block device; ${LOCAL_CLASS} gives directories: set volumeMode: Filesystem`);
    }
    const node = labels?.[NODE_LABEL] ?? nodeName;
    if (node !== nodeName) throw elsewhere(claim, node);
    const draft = localVolume(claim, { nodeName, volumesDirectory });
    const { path } = draft.spec.hostPath;
    const isBound = bound !== undefined && bound !== '';
    if (!isBound) await this.#make(claim, draft, signal);
    // One that was bound had its directory: made again it would be empty, and a guest would start without its data.
    if (isBound && !(await isDirectory(path))) {
      throw notReady(`the volume ${bound} of ${what} is not at ${path}; is its filesystem mounted?`);
    }
    return { kind: 'directory', path };
  }

  /** The directory comes first: on a Kubernetes the volume is bound as soon as it is there. */
  async #make(claim: PersistentVolumeClaim, draft: ReturnType<typeof localVolume>, signal: AbortSignal): Promise<void> {
    const { client, nodeName } = this.#options;
    const { path } = draft.spec.hostPath;
    await mkdir(path, { recursive: true, mode: 0o711 });
    const made = await client.resource(volumeKind).create(draft, { signal }).catch(unlessThere);
    const node = made === undefined ? await this.#makerOf(claim, signal) : nodeName;
    if (node !== nodeName) {
      await rmdir(path);
      throw elsewhere(claim, node);
    }
    await this.#bind(claim, draft.spec, signal);
  }

  /** A runner of another node may have been stopped between the volume and the claim: then the volume is there. */
  async #makerOf(claim: PersistentVolumeClaim, signal: AbortSignal): Promise<string> {
    const { client, nodeName } = this.#options;
    const { metadata } = await client.resource(volumeKind).get(volumeName(claim), { signal });
    return metadata.labels?.[NODE_LABEL] ?? nodeName;
  }

  /** On a Kubernetes its own controller does the same; whoever comes second finds it done. */
  async #bind(claim: PersistentVolumeClaim, spec: PersistentVolume['spec'], signal: AbortSignal): Promise<void> {
    const { client, nodeName } = this.#options;
    const { namespace, name, uid } = claim.metadata;
    const annotations = { 'pv.kubernetes.io/bind-completed': 'yes', 'volume.kubernetes.io/selected-node': nodeName };
    const metadata = { uid, labels: { [NODE_LABEL]: nodeName }, annotations };
    const claims = client.resource(claimKind);
    const volume = volumeName(claim);
    const change = { metadata, spec: { volumeName: volume, storageClassName: LOCAL_CLASS } };
    await claims.patch(name, 'merge', change, { namespace, signal });
    const { accessModes, capacity } = spec;
    const status = { phase: 'Bound', accessModes, capacity };
    await claims.patch(name, 'merge', { status }, { namespace, subresource: 'status', signal });
    const bound = { status: { phase: 'Bound' } };
    await client.resource(volumeKind).patch(volume, 'merge', bound, { subresource: 'status', signal });
  }
}

async function isDirectory(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isDirectory() === true;
}

/** A volume that somebody else has made, if it is on this node. */
async function foundVolume({ metadata, spec }: PersistentVolume): Promise<SandboxVolume> {
  const path = spec.hostPath?.path ?? spec.local?.path;
  if (path === undefined) {
    throw notReady(`the volume ${metadata.name} is neither hostPath nor local; this node has no other kinds`);
  }
  const isBlock = spec.volumeMode === 'Block';
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || (isBlock ? !found.isBlockDevice() : !found.isDirectory())) {
    const kind = isBlock ? 'block device' : 'directory';
    throw notReady(`the volume ${metadata.name} is no ${kind} at ${path} of this node; the pod has to go where it is`);
  }
  return { kind: isBlock ? 'block' : 'directory', path };
}

function notBound({ metadata }: PersistentVolumeClaim, volume: string, cause?: unknown): PodRunnerError {
  const { namespace = '', name, uid = '' } = metadata;
  const reference = `namespace ${namespace}, name ${name}, uid ${uid}`;
  const advice = `whoever manages volumes has to set its spec.claimRef to ${reference}`;
  return notReady(
    `the claim ${namespace}/${name} is not bound to the volume ${volume} that it names; ${advice}`,
    cause,
  );
}

function elsewhere({ metadata: { namespace, name } }: PersistentVolumeClaim, node: string): PodRunnerError {
  return notReady(`the claim ${namespace ?? ''}/${name} lies on the node ${node}; the pod has to go there`);
}

function notReady(message: string, cause?: unknown): PodRunnerError {
  return new PodRunnerError('volume-not-ready', message, { cause });
}

function unlessGone(error: unknown): undefined {
  if (isNotFound(error)) return undefined;
  throw error;
}

function unlessThere(error: unknown): undefined {
  if (isAlreadyExists(error)) return undefined;
  throw error;
}
