import type { IncomingMessage } from 'node:http';

import { isJsonObject, parseJson, printJson, type JsonValue } from '@smalt/json';

import type { Answer } from './answer.ts';
import type { HttpSession, RawAnswer, RawRequest } from './http-session.ts';
import { normalizeAnswers } from './normalize-answers.ts';
import type { CollectStep, Probe, RequestStep, Step, UntilStep, WatchStep } from './probe.ts';

const STEP_TIMEOUT_MS = 20_000;
const POLL_MS = 25;
const EVENTS_TIMEOUT_MS = 4_000;
const COMPARED_HEADERS = ['content-type', 'warning', 'retry-after', 'cache-control', 'allow', 'location'] as const;

/** Runs one probe and gives what the server said, without what differs from run to run. */
export async function runProbe(
  session: HttpSession,
  probe: Probe,
  variables: Readonly<Record<string, string>>,
): Promise<readonly Answer[]> {
  using conversation = new Conversation(session, variables);
  const answers: Answer[] = [];
  for (const step of probe.steps) {
    const answer = await conversation.take(step);
    if (answer !== undefined) answers.push(answer);
  }
  return normalizeAnswers(answers, variables);
}

class Conversation implements Disposable {
  readonly #session: HttpSession;
  readonly #variables: Map<string, string>;
  readonly #watches = new Map<string, EventReader>();

  constructor(session: HttpSession, variables: Readonly<Record<string, string>>) {
    this.#session = session;
    this.#variables = new Map(Object.entries(variables));
  }

  async take(step: Step): Promise<Answer | undefined> {
    switch (step.kind) {
      case 'request':
        return this.#request(step);
      case 'watch':
        return this.#watch(step);
      case 'collect':
        return this.#collect(step);
      case 'until':
        return this.#until(step);
    }
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches.values()) watch.close();
  }

  async #request(step: RequestStep): Promise<Answer> {
    const { body, method } = step;
    const content = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = typeof body === 'string' || body === undefined || Buffer.isBuffer(body) ? body : printJson(body);
    const filled = typeof sent === 'string' ? this.#fill(sent) : sent;
    const headers = { ...content, ...step.headers };
    const request = { method, path: this.#fill(step.path), headers, body: filled };
    const answer = await this.#send(request);
    for (const [name, path] of Object.entries(step.save)) {
      const value = valueAt(answer.body, path);
      if (typeof value === 'string') this.#variables.set(name, value);
    }
    return answer;
  }

  async #until(step: UntilStep): Promise<undefined> {
    const deadline = Date.now() + STEP_TIMEOUT_MS;
    while (valueAt((await this.#request(step.request)).body, step.path) !== step.value) {
      if (Date.now() > deadline)
        throw new Error(`${step.path} of ${step.request.path} did not become what was waited for`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return undefined;
  }

  /** A connection that breaks is an answer too, and one that no recording has. */
  async #send(request: RawRequest): Promise<Answer> {
    try {
      return answerOf(await this.#session.send(request, AbortSignal.timeout(STEP_TIMEOUT_MS)));
    } catch (error) {
      return { code: 0, headers: {}, body: String(error) };
    }
  }

  async #watch(step: WatchStep): Promise<Answer | undefined> {
    const request = { method: 'GET', path: this.#fill(step.path), headers: step.headers, body: undefined };
    const response = await this.#session.open(request, AbortSignal.timeout(STEP_TIMEOUT_MS));
    this.#watches.set(step.label, new EventReader(response));
    return undefined;
  }

  async #collect(step: CollectStep): Promise<Answer> {
    const reader = this.#watches.get(step.label);
    if (reader === undefined) throw new Error(`no watch is named ${step.label}`);
    const events = await reader.take(step.count);
    reader.close();
    return { code: reader.code, headers: comparedHeaders(reader.headers), body: events };
  }

  #fill(text: string): string {
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => this.#variables.get(name) ?? whole);
  }
}

/** Reads the events of a watch as they come. */
class EventReader {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly #response: IncomingMessage;
  readonly #lines: string[] = [];
  #rest = '';
  #wake: () => void = () => undefined;

  constructor(response: IncomingMessage) {
    this.#response = response;
    this.code = response.statusCode ?? 0;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      this.#lines.push(...lines.filter((line) => line !== ''));
      this.#wake();
    });
    response.on('close', () => this.#wake());
    // Closing the reader is the way a watch ends here, and it reports as an error.
    response.on('error', () => this.#wake());
  }

  async take(count: number): Promise<JsonValue[]> {
    const deadline = Date.now() + EVENTS_TIMEOUT_MS;
    while (this.#lines.length < count && Date.now() < deadline && !this.#response.closed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#lines.slice(0, count).map((line) => parseBody(line));
  }

  close(): void {
    this.#response.destroy();
  }
}

function answerOf(raw: RawAnswer): Answer {
  return { code: raw.code, headers: comparedHeaders(raw.headers), body: parseBody(raw.text) };
}

function comparedHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    COMPARED_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function parseBody(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

function valueAt(value: JsonValue, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const name of path.split('.')) {
    if (Array.isArray(at)) at = at[Number(name)];
    else at = at !== undefined && isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}
