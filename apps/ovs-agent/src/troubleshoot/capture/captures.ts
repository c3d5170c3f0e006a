import { randomUUID } from 'node:crypto';

import { printIdentity, type AgentIdentity } from '@smalt/controller-runtime';
import { messageOf, type Ignore } from '@smalt/service-runtime';

import { OvsAgentError } from '../../ovs-agent-error.ts';
import type { SwitchAccess } from '../../switch-access.ts';
import type { TroubleshootingSettings } from '../troubleshooting-settings.ts';
import { openMirror } from './capture-mirror.ts';
import type { CaptureRequest } from './capture-request.ts';
import { checkFilter } from './check-filter.ts';
import { PcapLimiter } from './pcap-limiter.ts';
import { planCapture, type CapturePlan } from './plan-capture.ts';
import { RunningCaptures } from './running-captures.ts';
import { startTcpdump, type RunningTcpdump } from './start-tcpdump.ts';

export interface CapturesDeps {
  readonly access: Pick<SwitchAccess, 'database' | 'facts'>;
  readonly settings: Pick<TroubleshootingSettings, 'tcpdump' | 'ip' | 'mostCaptures'>;
  /** Where those that run are told; nobody else looks there unless given. */
  readonly running?: RunningCaptures | undefined;
  /** This agent, as its mirrors name it. */
  readonly agent: AgentIdentity;
  readonly now: () => number;
  readonly ignore: Ignore;
}

/** How a capture ended. Unless a limit was reached it is incomplete: tcpdump has ended, or somebody has removed the mirror. */
export interface CaptureEnd {
  readonly by: 'seconds' | 'packets' | 'bytes' | 'tcpdump' | 'mirror';
  readonly packets: number;
  readonly bytes: number;
  /** Packets that came faster than they were taken; undefined where tcpdump does not tell. */
  readonly dropped: number | undefined;
  /** The last words of tcpdump. */
  readonly words: string;
}

/** A capture that listens. It has to be disposed of: then nothing of it is left. */
export interface RunningCapture extends AsyncDisposable {
  readonly id: string;
  readonly device: string;
  /** The capture in the format of pcap; gives how it ended. */
  packets(signal: AbortSignal): AsyncGenerator<Buffer, CaptureEnd>;
}

/** The captures of a node: a few at a time, and one of each port. */
export class Captures {
  readonly #deps: CapturesDeps;
  readonly #targets = new Set<string>();
  readonly #running: RunningCaptures;

  constructor(deps: CapturesDeps) {
    this.#deps = deps;
    this.#running = deps.running ?? new RunningCaptures();
  }

  /** The agent that makes them. */
  get agent(): AgentIdentity {
    return this.#deps.agent;
  }

  /** The ids of those that run. */
  get running(): ReadonlySet<string> {
    return this.#running.ids;
  }

  /** Resolves once packets are listened to. Nothing is changed on the node before the request is known to be right. */
  async start(request: CaptureRequest, signal: AbortSignal): Promise<RunningCapture> {
    const { settings, access } = this.#deps;
    const configuration = access.facts().configuration;
    if (configuration === undefined)
      throw new OvsAgentError('unavailable', 'the switch has not been read yet: try again');
    const plan = planCapture(request.target, configuration);
    if (plan.kind === 'refused') {
      const { field, why } = plan;
      throw new OvsAgentError('invalid-request', `${field}: ${why}`, { problems: [{ field, message: why }] });
    }
    await using stack = new AsyncDisposableStack();
    const id = randomUUID();
    stack.use(this.#take(id, request));
    if (request.filter !== undefined) await checkFilter(settings.tcpdump, request.filter, signal);
    const source =
      plan.kind === 'device' ? { device: plan.device } : await this.#mirror(stack, { id, plan, request }, signal);
    const { device } = source;
    const { seconds, packets, snapLength, filter } = request;
    const onlyIncoming = plan.kind === 'mirror';
    const options = { tcpdump: settings.tcpdump, device, onlyIncoming, seconds, packets, snapLength, filter };
    const tcpdump = stack.use(await startTcpdump(options, signal));
    const owned = stack.move();
    return {
      id,
      device,
      packets: (until) => readPackets({ tcpdump, ...source }, request, until),
      [Symbol.asyncDispose]: () => owned.disposeAsync(),
    };
  }

  async #mirror(
    stack: AsyncDisposableStack,
    capture: { readonly id: string; readonly plan: CapturePlan & { kind: 'mirror' }; readonly request: CaptureRequest },
    signal: AbortSignal,
  ): Promise<Source> {
    const { access, settings, now, ignore, agent } = this.#deps;
    const { id, plan, request } = capture;
    const about = { capture: id, bridge: plan.bridge, port: plan.port, owner: printIdentity(agent) };
    const expires = new Date(now() + request.seconds * 1_000 + 60_000);
    const mirror = await openMirror({ database: access.database, ip: settings.ip }, { ...about, expires }, signal);
    stack.defer(async () => {
      try {
        await mirror[Symbol.asyncDispose]();
      } catch (error) {
        ignore(error, `the mirror of a capture is swept later: ${messageOf(error)}`);
      }
    });
    return mirror;
  }

  #take(id: string, { target }: CaptureRequest): Disposable {
    const key = `${target.kind} ${target.name}`;
    if (this.#targets.has(key)) {
      throw new OvsAgentError('conflict', `somebody captures the ${key} already: wait until that ends`);
    }
    const most = this.#deps.settings.mostCaptures;
    if (this.#targets.size >= most) {
      throw new OvsAgentError('too-many-requests', `${most} captures run on this node already: wait until one ends`);
    }
    this.#targets.add(key);
    const counted = this.#running.add(id);
    return {
      [Symbol.dispose]: () => {
        this.#targets.delete(key);
        counted[Symbol.dispose]();
      },
    };
  }
}

/** Where packets come from. */
interface Source {
  readonly device: string;
  /** Fires when no more can come. */
  readonly gone?: AbortSignal;
}

async function* readPackets(
  { tcpdump, gone }: Source & { readonly tcpdump: RunningTcpdump },
  request: CaptureRequest,
  signal: AbortSignal,
): AsyncGenerator<Buffer, CaptureEnd> {
  const limiter = new PcapLimiter(request);
  let stoppedBy: 'seconds' | 'mirror' | undefined;
  const stopBy = (by: 'seconds' | 'mirror'): void => {
    stoppedBy ??= by;
    tcpdump.stop();
  };
  const timer = setTimeout(() => stopBy('seconds'), request.seconds * 1_000);
  const lose = (): void => stopBy('mirror');
  if (gone?.aborted === true) lose();
  gone?.addEventListener('abort', lose);
  const cut = (): void => void tcpdump.output.destroy();
  signal.addEventListener('abort', cut);
  try {
    for await (const chunk of tcpdump.output) {
      const bytes = limiter.push(chunk);
      if (bytes.length > 0) yield bytes;
      if (limiter.fullBy !== undefined) break;
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cut);
    gone?.removeEventListener('abort', lose);
    await tcpdump[Symbol.asyncDispose]();
  }
  signal.throwIfAborted();
  // Where the mirror goes with its device, tcpdump may be the first to tell.
  const by = limiter.fullBy ?? stoppedBy ?? 'tcpdump';
  const { packets, bytes } = limiter;
  return { by, packets, bytes, dropped: tcpdump.dropped(), words: tcpdump.words() };
}
