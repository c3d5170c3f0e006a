import { MASTERS_GROUP, type User } from '../identity/user.ts';

/** Sees to it that one user alone cannot take all the room there is for requests. */
export class UserShares {
  readonly #share: number;
  readonly #taken = new Map<string, number>();

  /** One user may have half of the requests that are worked on at a time. */
  constructor(maxInFlight: number) {
    this.#share = Math.max(1, Math.floor(maxInFlight / 2));
  }

  /** Takes room for a request, which the returned function gives back; undefined when the user has too many already. */
  take({ name, groups }: User): (() => void) | undefined {
    // Who has to put things right must get through.
    if (groups.includes(MASTERS_GROUP)) return () => undefined;
    const taken = this.#taken.get(name) ?? 0;
    if (taken >= this.#share) return undefined;
    this.#taken.set(name, taken + 1);
    return () => this.#giveBack(name);
  }

  #giveBack(name: string): void {
    const left = (this.#taken.get(name) ?? 1) - 1;
    if (left === 0) this.#taken.delete(name);
    else this.#taken.set(name, left);
  }
}
