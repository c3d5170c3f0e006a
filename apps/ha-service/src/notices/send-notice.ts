import { readFile } from 'node:fs/promises';

import { messageOf } from '@smalt/service-runtime';
import { Agent, request } from 'undici';

import { authoritiesWith } from '../identity/authorities-with.ts';
import type { StoredJournalEntry } from '../ports/incident-store.ts';
import type { WebhookSettings } from '../settings/ha-service-settings.ts';
import { journalView } from '../api/incident-view.ts';
import { signNotice } from './sign-notice.ts';

/** What a receiver may say; it is told in the log at most. */
const ANSWER_BYTES = 4_096;

/** How a notice was received. */
export type Delivery = { readonly kind: 'delivered' } | { readonly kind: 'failed'; readonly message: string };

/** Posts entries to one receiver over connections of its own. */
export class NoticeSender implements AsyncDisposable {
  readonly #webhook: WebhookSettings;
  readonly #agent: Agent;

  private constructor(webhook: WebhookSettings, agent: Agent) {
    this.#webhook = webhook;
    this.#agent = agent;
  }

  static async open(webhook: WebhookSettings): Promise<NoticeSender> {
    const { authorityFile, timeoutMs } = webhook;
    const own = authorityFile === undefined ? undefined : await readFile(authorityFile, 'utf8');
    const connect = { timeout: timeoutMs, ...(own === undefined ? {} : { ca: authoritiesWith(own) }) };
    return new NoticeSender(webhook, new Agent({ connect, connections: 1, pipelining: 1 }));
  }

  /** Sends one entry, once. A redirect is a failure: what is signed for one address is for no other. */
  async send(entry: StoredJournalEntry, wallSeconds: number, signal: AbortSignal): Promise<Delivery> {
    try {
      const secret = (await readFile(this.#webhook.secretFile, 'utf8')).trim();
      const body = JSON.stringify({ version: 1, ...journalView(entry) });
      const answer = await request(this.#webhook.url, {
        method: 'POST',
        dispatcher: this.#agent,
        body,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'smalt-ha-service',
          'idempotency-key': entry.id,
          'smalt-timestamp': String(wallSeconds),
          'smalt-signature': signNotice(secret, wallSeconds, body),
        },
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.#webhook.timeoutMs)]),
      });
      await answer.body.dump({ limit: ANSWER_BYTES });
      if (answer.statusCode >= 200 && answer.statusCode < 300) return { kind: 'delivered' };
      return { kind: 'failed', message: `it answered ${answer.statusCode}` };
    } catch (error) {
      signal.throwIfAborted();
      return { kind: 'failed', message: messageOf(error) };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}
