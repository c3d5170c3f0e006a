import { connect, type Connection } from '@smalt/libvirt';
import { BenchmarkError } from '../src/benchmark-error.ts';
import type { PeerAnswer } from './peer-answer.ts';

type Domain = Awaited<ReturnType<Connection['domainLookupByName']>>;
type Events = Awaited<ReturnType<Connection['domainEvents']>>;

interface Instant {
  readonly wallMs: number;
  readonly cpuMicroseconds: number;
}

/** The libvirt benchmark's peer on our own client. The README beside it lists the commands. */
export class SmaltPeer {
  readonly #uri: string;
  readonly #connection: Connection;
  #domain: Domain | undefined;
  #listening: { readonly events: Events; readonly wanted: number; readonly from: Instant } | undefined;

  constructor(uri: string, connection: Connection) {
    this.#uri = uri;
    this.#connection = connection;
  }

  /** Finds the domain that is asked about. */
  async start(): Promise<void> {
    this.#domain = await this.#connection.domainLookupByName({ name: 'test' });
  }

  /** Carries out one command line. */
  async run(line: string): Promise<PeerAnswer> {
    const [name = '', count = '0', depth = '1'] = line.trim().split(' ');
    const commands: Readonly<Record<string, (count: number, depth: number) => Promise<PeerAnswer>>> = {
      'version-serial': (calls) => this.#version(calls, 1),
      'version-pipelined': (calls, callers) => this.#version(calls, callers),
      'info-serial': (calls) => this.#info(calls, 1),
      'info-pipelined': (calls, callers) => this.#info(calls, callers),
      connect: (times) => this.#connect(times),
      stats: (calls) => this.#stats(calls),
      listen: (wanted) => this.#listen(wanted),
      'await-events': () => this.#awaitEvents(),
      populate: (domains) => this.#populate(domains),
      provoke: (events, domains) => this.#provoke(events, domains),
    };
    const command = commands[name];
    if (!command) throw new BenchmarkError('bad-arguments', `unknown command: ${name}`);
    return command(Number(count), Number(depth));
  }

  #version(calls: number, callers: number): Promise<PeerAnswer> {
    return measureCallers(() => this.#connection.connectGetLibVersion(), calls, callers);
  }

  #info(calls: number, callers: number): Promise<PeerAnswer> {
    const domain = this.#domain;
    if (!domain) throw new BenchmarkError('peer-failed', 'the domain was not looked up');
    return measureCallers(() => this.#connection.domainGetInfo({ domain }), calls, callers);
  }

  async #connect(times: number): Promise<PeerAnswer> {
    const from = now();
    for (let time = 0; time < times; time += 1) {
      const other = await connect(this.#uri);
      await other.close();
    }
    return answer(from, times, times);
  }

  async #stats(calls: number): Promise<PeerAnswer> {
    let items = 0;
    const from = now();
    for (let call = 0; call < calls; call += 1) {
      const records = await this.#connection.connectGetAllDomainStats({ stats: 0 });
      for (const { params } of records) items += Object.keys(params).length;
    }
    return answer(from, calls, items);
  }

  async #listen(wanted: number): Promise<PeerAnswer> {
    const events = await this.#connection.domainEvents({ kinds: ['lifecycle'] });
    const from = now();
    this.#listening = { events, wanted, from };
    return answer(from, 0, 0);
  }

  // Wall time runs from the first event to the last, CPU time from the registration, so that no event's work is lost.
  async #awaitEvents(): Promise<PeerAnswer> {
    const listening = this.#listening;
    if (!listening) throw new BenchmarkError('bad-arguments', 'await-events before listen');
    this.#listening = undefined;
    let { from } = listening;
    let seen = 0;
    for await (const event of listening.events) {
      if (event.kind === 'overflow') throw new BenchmarkError('peer-failed', `${event.dropped} events were dropped`);
      if (seen === 0) from = { wallMs: performance.now(), cpuMicroseconds: from.cpuMicroseconds };
      seen += 1;
      if (seen === listening.wanted) return answer(from, seen, seen);
    }
    throw new BenchmarkError('peer-failed', `events ended after ${seen} of ${listening.wanted}`);
  }

  async #populate(domains: number): Promise<PeerAnswer> {
    const from = now();
    const present = await this.#connection.connectListAllDomains();
    for (let index = present.length; index < domains; index += 1) {
      await this.#connection.domainCreateXml({ xml: domainXml(index) });
    }
    return answer(from, domains - present.length, domains);
  }

  /** Suspends and resumes in turn; every caller has a domain of its own, so every call makes one event. */
  async #provoke(events: number, callers: number): Promise<PeerAnswer> {
    const domains = await this.#connection.connectListAllDomains();
    if (domains.length < callers) throw new BenchmarkError('bad-arguments', `only ${domains.length} domains`);
    const from = now();
    await Promise.all(domains.slice(0, callers).map((domain) => this.#toggle(domain, events / callers)));
    return answer(from, events, events);
  }

  async #toggle(domain: Domain, times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) {
      await (time % 2 === 0 ? this.#connection.domainSuspend({ domain }) : this.#connection.domainResume({ domain }));
    }
  }
}

async function measureCallers(call: () => Promise<unknown>, calls: number, callers: number): Promise<PeerAnswer> {
  const from = now();
  await Promise.all(Array.from({ length: callers }, () => repeat(call, calls / callers)));
  return answer(from, calls, calls);
}

async function repeat(call: () => Promise<unknown>, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await call();
}

function now(): Instant {
  const { user, system } = process.cpuUsage();
  return { wallMs: performance.now(), cpuMicroseconds: user + system };
}

function answer(from: Instant, operations: number, items: number): PeerAnswer {
  const to = now();
  return {
    operations,
    items,
    seconds: (to.wallMs - from.wallMs) / 1e3,
    cpuSeconds: (to.cpuMicroseconds - from.cpuMicroseconds) / 1e6,
  };
}

function domainXml(index: number): string {
  const body = `<name>bench-${index}</name><memory>8192</memory><vcpu>1</vcpu><os><type>hvm</type></os>`;
  return `<domain type='test'>${body}</domain>`;
}
