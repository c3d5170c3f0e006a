import { EventHub } from '../src/events/event-hub.ts';
import { procedures } from '../src/generated/procedures.gen.ts';
import { isLibvirtError, LibvirtError } from '../src/libvirt-error.ts';
import { Channel } from '../src/rpc/channel.ts';
import { Finding } from './finding.ts';
import { MemorySocket } from './memory-socket.ts';
import { randomMessage, type MadeCall } from './random-message.ts';
import { RandomSource } from './random-source.ts';

const CALLS_PER_ROUND = 40;
const MESSAGES_PER_ROUND = 200;
const DEADLINE_MS = 5000;
const domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 1 };
const volume = { pool: 'default', name: 'disk', key: '/disk' };

/**
 * Messages into whole connections: whatever comes, every call must end, with a value or with a LibvirtError, and every
 * stream must end too.
 */
export async function attackChannel(frames: number, seed: number, onProgress: (done: number) => void): Promise<void> {
  for (let done = 0, round = 0; done < frames; round++) {
    done += await attackOnce(new RandomSource(seed + round), `seed ${seed + round}`);
    if (round % 500 === 0) onProgress(done);
  }
}

async function attackOnce(random: RandomSource, name: string): Promise<number> {
  const socket = new MemorySocket();
  const hub: EventHub = new EventHub(() => undefined);
  const channel = new Channel(socket, {
    keepalive: false,
    maxStreamBufferBytes: 4096,
    onEvent: (header, reader) => hub.receive(header, reader),
  });
  const { calls, outcomes } = makeCalls(channel, random);
  const state = { unanswered: [...calls], streams: [] };
  let sent = 0;
  while (sent < MESSAGES_PER_ROUND && channel.reason === undefined) {
    const batch = Array.from({ length: 1 + random.integer(8) }, () => randomMessage(random, state));
    sent += batch.length;
    for (const chunk of cut(random, Buffer.concat(batch))) socket.receive(chunk);
    await nextTurn();
  }
  channel.destroy(new LibvirtError('closed', 'the round is over'));
  await checkOutcomes(outcomes, name);
  return sent;
}

interface MadeCalls {
  readonly calls: readonly MadeCall[];
  readonly outcomes: readonly Promise<unknown>[];
}

function makeCalls(channel: Channel, random: RandomSource): MadeCalls {
  const calls: MadeCall[] = [];
  const outcomes: Promise<unknown>[] = [];
  for (let serial = 1; serial <= CALLS_PER_ROUND; serial++) {
    const { procedure, run } = random.pick(makers);
    calls.push({ serial, procedure, isStream: run === readStream });
    // Caught at once, so that a call that fails before it is looked at is not an unhandled rejection.
    outcomes.push(run(channel).catch((error: unknown) => error));
  }
  return { calls, outcomes };
}

interface Maker {
  readonly procedure: number;
  readonly run: (channel: Channel) => Promise<unknown>;
}

const makers: readonly Maker[] = [
  { procedure: procedures.domainGetInfo.number, run: (channel) => channel.call(procedures.domainGetInfo, { domain }) },
  {
    procedure: procedures.domainGetXmlDesc.number,
    run: (channel) => channel.call(procedures.domainGetXmlDesc, { domain }),
  },
  {
    procedure: procedures.connectGetAllDomainStats.number,
    run: (channel) => channel.call(procedures.connectGetAllDomainStats, { domains: [domain], stats: 0 }),
  },
  { procedure: procedures.storageVolDownload.number, run: readStream },
];

async function readStream(channel: Channel): Promise<void> {
  const { stream } = await channel.openStream(procedures.storageVolDownload, { volume, flags: 1 });
  for await (const item of stream) {
    if (!(item instanceof Uint8Array) && item.hole <= 0n) throw new Finding(`a hole of ${item.hole}`);
  }
}

async function checkOutcomes(outcomes: readonly Promise<unknown>[], name: string): Promise<void> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), DEADLINE_MS);
  const settled = await Promise.race([Promise.all(outcomes), late.promise]);
  clearTimeout(timer);
  if (settled === 'late') throw new Finding(`${name}: a call never ended`);
  for (const outcome of settled) {
    if (outcome instanceof Error && !isLibvirtError(outcome)) {
      throw new Finding(`${name}: a call failed with ${outcome.name}: ${outcome.message}`, { cause: outcome });
    }
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
