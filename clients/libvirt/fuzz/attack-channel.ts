import { inspect } from 'node:util';

import { procedures } from '../src/generated/procedures.gen.ts';
import { isLibvirtError, LibvirtError } from '../src/libvirt-error.ts';
import { AttackedConnection } from './attacked-connection.ts';
import { EventTally, MAX_UNREAD_BYTES } from './event-tally.ts';
import { Finding } from './finding.ts';
import { MemorySocket } from './memory-socket.ts';
import { randomMessage, type Consequence, type DaemonState } from './random-message.ts';
import { RandomSource } from './random-source.ts';

const CALLS_PER_ROUND = 40;
const MESSAGES_PER_ROUND = 300;
const DEADLINE_MS = 5000;
const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const volume = { pool: 'default', name: 'disk', key: '/disk' };

/**
 * Messages into whole connections that wait for every kind of event. Whatever comes, every call and every stream must
 * end, with a value or with a LibvirtError; and as long as the connection stands, what was sent right must arrive right.
 */
export async function attackChannel(frames: number, seed: number, onProgress: (done: number) => void): Promise<void> {
  for (let done = 0, round = 0; done < frames; round++) {
    done += await new Round(new RandomSource(seed + round), `seed ${seed + round}`).run();
    if (round % 200 === 0) onProgress(done);
  }
}

class Round {
  readonly #random: RandomSource;
  readonly #name: string;
  readonly #socket = new MemorySocket();
  readonly #connection = new AttackedConnection(this.#socket);
  readonly #outcomes = new Map<number, Promise<unknown>>();
  /** What has been sent to the client and must have come to pass. */
  readonly #due: Consequence[] = [];

  constructor(random: RandomSource, name: string) {
    this.#random = random;
    this.#name = name;
  }

  /** Returns how many messages it took. */
  async run(): Promise<number> {
    const subscribing = EventTally.subscribe(this.#connection, this.#socket);
    const tally = await this.#inTime(subscribing, 'a registration was never confirmed');
    const running = Array.from({ length: CALLS_PER_ROUND }, () => this.#random.pick(makers)(this.#connection));
    // Caught at once, so that a call that fails before it is looked at is not an unhandled rejection.
    const caught = running.map((outcome) => outcome.catch((error: unknown) => error));
    await nextTurn();
    const unanswered = this.#socket.takeCalls();
    for (const [index, { header }] of unanswered.entries()) {
      const outcome = caught[index];
      if (outcome !== undefined) this.#outcomes.set(header.serial, outcome);
    }
    const sent = await this.#send({ unanswered, streams: [], listeners: tally.listeners, correctEvents: 0 });
    this.#connection.channel.destroy(new LibvirtError('closed', 'the round is over'));
    await this.#inTime(Promise.all([...caught, tally.ended()]), 'a call or an iterator never ended');
    await this.#check(tally, caught);
    return sent;
  }

  async #send(state: DaemonState): Promise<number> {
    const { channel } = this.#connection;
    let sent = 0;
    let isWhole = true;
    while (sent < MESSAGES_PER_ROUND && channel.reason === undefined) {
      const batch = Array.from({ length: 1 + this.#random.integer(8) }, () => randomMessage(this.#random, state));
      sent += batch.length;
      for (const chunk of cut(this.#random, Buffer.concat(batch.map(({ bytes }) => bytes))))
        this.#socket.receive(chunk);
      await this.#inTime(this.#taken(), 'the client stopped reading for good');
      isWhole &&= batch.every((message) => message.isWhole);
      if (isWhole && channel.reason === undefined) this.#due.push(...batch.map(({ consequence }) => consequence));
    }
    return sent;
  }

  /** Resolves when the client has read all that was sent to it. */
  async #taken(): Promise<void> {
    const { channel } = this.#connection;
    do await nextTurn();
    while (channel.reason === undefined && (this.#socket.readableLength > 0 || channel.isPaused));
  }

  async #check(tally: EventTally, outcomes: readonly Promise<unknown>[]): Promise<void> {
    for (const outcome of await Promise.all(outcomes)) {
      if (outcome instanceof Error && !isLibvirtError(outcome)) throw this.#finding(`a call failed`, outcome);
    }
    for (const due of this.#due) {
      if (due.kind !== 'reply') continue;
      const outcome = await this.#outcomes.get(due.serial);
      if (!due.isRight(outcome)) throw this.#finding(`the correct reply to call ${due.serial} was lost`, outcome);
    }
    const unread = await tally.unreadBytes();
    if (unread > MAX_UNREAD_BYTES) throw this.#finding(`${unread} bytes of events were kept for nobody`);
    const events = this.#due.filter((due) => due.kind === 'event');
    if (tally.arrived < events.length) throw this.#finding(`of ${events.length} events ${tally.arrived} arrived`);
    const details = events.map(({ detail }) => detail).filter((detail) => detail !== undefined);
    if (!details.every((detail, index) => tally.details[index] === detail)) {
      throw this.#finding(`correct events ${details.join()} became ${tally.details.join()}`);
    }
  }

  async #inTime<Value>(work: Promise<Value>, complaint: string): Promise<Value> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(this.#finding(complaint)), DEADLINE_MS);
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #finding(what: string, cause?: unknown): Finding {
    const text = cause === undefined ? '' : `: ${inspect(cause)}`;
    return new Finding(`${this.#name}: ${what}${text}`, { cause });
  }
}

const makers: readonly ((connection: AttackedConnection) => Promise<unknown>)[] = [
  (connection) => connection.domainGetInfo({ domain }),
  (connection) => connection.domainGetXmlDesc({ domain }),
  (connection) => connection.connectListAllDomains(),
  (connection) => connection.call(procedures.connectGetAllDomainStats, { domains: [domain], stats: 0 }),
  readStream,
];

async function readStream(connection: AttackedConnection): Promise<void> {
  const { stream } = await connection.openStream(procedures.storageVolDownload, { volume, flags: 1 });
  for await (const item of stream) {
    if (!(item instanceof Uint8Array) && item.hole <= 0n) throw new Finding(`a hole of ${item.hole}`);
  }
}

/** Chunks as a network would make them: sometimes whole, sometimes in the middle of a word. */
function* cut(random: RandomSource, bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length;) {
    const size = random.oneIn(2) ? bytes.length : 1 + random.integer(60);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

async function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  setImmediate(resolve);
  await promise;
}
