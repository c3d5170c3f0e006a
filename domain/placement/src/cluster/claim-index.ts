import type { Claim, ClaimedVolume, StorageClass } from '../claim.ts';
import type { PodEntry } from './pod-entry.ts';
import { drop, put } from './pod-index.ts';

/** Where the volume of a claim is, as far as that is decided. */
export type ClaimPlace =
  | { readonly kind: 'missing' }
  | { readonly kind: 'leaving' }
  /** Its volume is there, and only some nodes may reach it. */
  | { readonly kind: 'bound'; readonly volume: ClaimedVolume }
  /** It names a volume that there is not. */
  | { readonly kind: 'lost' }
  /** Somebody has to make its volume before a pod can use it. */
  | { readonly kind: 'unbound' }
  /** Its volume is made on the node of the first pod that uses it; undefined while there is none. */
  | { readonly kind: 'wherever'; readonly nodeName: string | undefined };

const DELAYED = 'WaitForFirstConsumer';

/** Claims and volumes, and the pods on nodes that use them: where the pods of a claim can go. */
export class ClaimIndex {
  readonly #claims = new Map<string, Claim>();
  readonly #volumes = new Map<string, ClaimedVolume>();
  /** The names of volumes by the uid of the claim that they were made for. */
  readonly #reserved = new Map<string, string>();
  readonly #classes = new Map<string, StorageClass>();
  readonly #users = new Map<string, Set<PodEntry>>();

  setClaim(key: string, claim: Claim): void {
    this.#claims.set(key, claim);
  }

  removeClaim(key: string): void {
    this.#claims.delete(key);
  }

  setVolume(volume: ClaimedVolume): void {
    const { name } = volume.metadata;
    this.removeVolume(name);
    this.#volumes.set(name, volume);
    const { uid } = volume.spec.claimRef ?? {};
    if (uid !== undefined) this.#reserved.set(uid, name);
  }

  removeVolume(name: string): void {
    const { uid = '' } = this.#volumes.get(name)?.spec.claimRef ?? {};
    if (this.#reserved.get(uid) === name) this.#reserved.delete(uid);
    this.#volumes.delete(name);
  }

  setClass(storageClass: StorageClass): void {
    this.#classes.set(storageClass.metadata.name, storageClass);
  }

  removeClass(name: string): void {
    this.#classes.delete(name);
  }

  add(user: PodEntry): void {
    for (const key of user.claims) put(this.#users, key, user);
  }

  delete(user: PodEntry): void {
    for (const key of user.claims) drop(this.#users, key, user);
  }

  /** Where the volume of a claim is, by its `namespace/name`. */
  find(key: string): ClaimPlace {
    const claim = this.#claims.get(key);
    if (claim === undefined) return { kind: 'missing' };
    if (claim.metadata.deletionTimestamp !== undefined) return { kind: 'leaving' };
    const { volumeName = '', storageClassName } = claim.spec;
    // Made for the claim, which does not say so yet: it is not made a second time elsewhere.
    const reserved = this.#reserved.get(claim.metadata.uid ?? '');
    const name = volumeName === '' ? reserved : volumeName;
    if (name !== undefined) {
      const volume = this.#volumes.get(name);
      if (volume === undefined) return { kind: 'lost' };
      // The name is the tenant's own word; only the volume can say whose it is. Where a volume is, is not told to others.
      return isGivenTo(volume, claim) ? { kind: 'bound', volume } : { kind: 'unbound' };
    }
    if (!this.#isDelayed(storageClassName)) return { kind: 'unbound' };
    const [first] = this.#users.get(key) ?? [];
    return { kind: 'wherever', nodeName: first?.nodeName };
  }

  /** A claim that names no class gets the default one from whoever makes its volume. */
  #isDelayed(className: string | undefined): boolean {
    return className === undefined || this.#classes.get(className)?.volumeBindingMode === DELAYED;
  }
}

/** A uid is given by the API server and never again: it says namespace and name too. */
function isGivenTo({ spec }: ClaimedVolume, { metadata }: Claim): boolean {
  const { uid = '' } = spec.claimRef ?? {};
  return uid !== '' && uid === metadata.uid;
}
