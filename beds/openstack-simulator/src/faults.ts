import type { Call } from './call-log.ts';

/** What happens instead of, or after, what was asked for. */
export type FaultEffect =
  /** Answers with this status; `after` means that the request was carried out all the same. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly retryAfterSeconds?: number | undefined;
      readonly message?: string | undefined;
      readonly when?: 'before' | 'after' | undefined;
    }
  /** Never answers; `after` means that the request was carried out all the same. */
  | { readonly kind: 'hang'; readonly when?: 'before' | 'after' | undefined }
  /** Closes the connection without an answer, before or after the request was carried out. */
  | { readonly kind: 'drop'; readonly when: 'before' | 'after' }
  /** Never answers, and carries the request out that much later, as a service does whose client has lost patience. */
  | { readonly kind: 'late'; readonly afterMs: number }
  /** Serves the first page again where the next one was asked for. */
  | { readonly kind: 'page-twice' }
  /** Answers as if no cell could be reached just then; a list of servers or of moves is empty, and nothing says so. */
  | { readonly kind: 'cells-away' };

/** Which requests fail, and how. Whatever is not named matches all. */
export interface Fault {
  readonly service?: string | undefined;
  readonly method?: string | undefined;
  /** The path below the address of the service and its version: the whole of it, or an expression that finds a part. */
  readonly path?: string | RegExp | undefined;
  /** Text that the body must contain, such as `os-migrateLive`. */
  readonly body?: string | undefined;
  /** How many requests fail; all, until it is cleared, by default. */
  readonly times?: number | undefined;
  readonly effect: FaultEffect;
}

/** A fault that was injected. It ends when it is disposed of. */
export interface InjectedFault extends Disposable {
  /** How many requests it has struck. */
  readonly hits: number;
  clear(): void;
}

type Request = Pick<Call, 'service' | 'method' | 'path' | 'body'>;

/** The faults of a cloud. */
export class Faults {
  readonly #injected = new Set<CountedFault>();

  inject(fault: Fault): InjectedFault {
    const injected = new CountedFault(fault, () => this.#injected.delete(injected));
    this.#injected.add(injected);
    return injected;
  }

  /** The effect of the newest fault that matches; it counts as struck. */
  strike(request: Request): FaultEffect | undefined {
    if (this.#injected.size === 0) return undefined;
    const fault = [...this.#injected].findLast((each) => each.matches(request));
    return fault?.strike();
  }
}

class CountedFault implements InjectedFault {
  hits = 0;
  readonly #fault: Fault;
  readonly #onEnd: () => void;

  constructor(fault: Fault, onEnd: () => void) {
    this.#fault = fault;
    this.#onEnd = onEnd;
  }

  matches(request: Request): boolean {
    const { service, method, path, body } = this.#fault;
    if (service !== undefined && service !== request.service) return false;
    if (method !== undefined && method !== request.method) return false;
    if (body !== undefined && !request.body.includes(body)) return false;
    if (path === undefined) return true;
    return typeof path === 'string' ? path === request.path : path.test(request.path);
  }

  strike(): FaultEffect {
    this.hits += 1;
    if (this.hits >= (this.#fault.times ?? Number.POSITIVE_INFINITY)) this.clear();
    return this.#fault.effect;
  }

  clear(): void {
    this.#onEnd();
  }

  [Symbol.dispose](): void {
    this.clear();
  }
}
