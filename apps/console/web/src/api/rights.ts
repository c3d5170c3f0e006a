import type { ApiClient } from './api-client.ts';

/** Something a user might be allowed to do. */
export interface Deed {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource?: string | undefined;
  /** All namespaces without one. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

type Answer = 'asking' | 'yes' | 'no';

/** What the user may do, as the server says. Each question is asked once; answers are kept for a while. */
export class Rights {
  readonly #api: Pick<ApiClient, 'call'>;
  readonly #now: () => number;
  readonly #answers = new Map<string, { readonly answer: Answer; readonly at: number }>();
  readonly #listeners = new Set<() => void>();
  /** Answers to what was asked for somebody else before come too late. */
  #asking = 0;

  constructor(api: Pick<ApiClient, 'call'>, now: () => number) {
    this.#api = api;
    this.#now = now;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** What is known now; undefined until the server has been asked. It does not ask. */
  may(deed: Deed): boolean | undefined {
    const answer = this.#answers.get(deedKey(deed))?.answer;
    return answer === undefined || answer === 'asking' ? undefined : answer === 'yes';
  }

  /** Another user may do other things. */
  forgetAll(): void {
    this.#answers.clear();
    this.#asking += 1;
  }

  /** Asks the server what is not known, or not lately. */
  ask(deeds: readonly Deed[]): void {
    const oldest = this.#now() - KEPT_MS;
    for (const deed of deeds) {
      const known = this.#answers.get(deedKey(deed));
      if (known === undefined || (known.answer !== 'asking' && known.at < oldest)) void this.#askOne(deed);
    }
  }

  async #askOne(deed: Deed): Promise<void> {
    const key = deedKey(deed);
    const asking = this.#asking;
    const known = this.#answers.get(key)?.answer;
    this.#answers.set(key, { answer: known ?? 'asking', at: this.#now() });
    // A question that was not answered is a no that is asked again soon: what is offered must work.
    const answer = await this.#review(deed).catch(() => 'unanswered' as const);
    if (asking !== this.#asking) return;
    const at = answer === 'unanswered' ? this.#now() - KEPT_MS + RETRY_MS : this.#now();
    this.#answers.set(key, { answer: answer === 'yes' ? 'yes' : 'no', at });
    for (const listener of this.#listeners) listener();
  }

  async #review({ verb, group, resource, subresource, namespace, name }: Deed): Promise<Answer> {
    const resourceAttributes = { verb, group, resource, subresource, namespace, name };
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes },
    };
    const review = await this.#api.call('POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { body });
    return isAllowed(review) ? 'yes' : 'no';
  }
}

const KEPT_MS = 5 * 60_000;
const RETRY_MS = 5_000;

function deedKey({ verb, group, resource, subresource = '', namespace = '', name = '' }: Deed): string {
  return [verb, group, resource, subresource, namespace, name].join(' ');
}

function isAllowed(review: unknown): boolean {
  if (typeof review !== 'object' || review === null || !('status' in review)) return false;
  const { status } = review;
  return typeof status === 'object' && status !== null && 'allowed' in status && status.allowed === true;
}
