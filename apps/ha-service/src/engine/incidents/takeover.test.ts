import { once } from 'node:events';
import { createServer } from 'node:http';

import type { Compute } from '@smalt/compute';
import {
  adoptIncident,
  defaultDetectionSettings,
  judgeHost,
  lastLifeAt,
  nextSteps,
  type Incident,
  type IncidentFacts,
  type Judgement,
} from '@smalt/failure-detection';
import { KubeClient } from '@smalt/kube';
import { WellKnownName } from '@smalt/vm-api';
import { createVmCompute, defaultVmComputeSettings } from '@smalt/vm-compute';
import { describe, expect, it } from 'vitest';

import { incident } from '../fixtures/engine-builders.ts';
import { ComputeWatch } from '../fleet/compute-watch.ts';
import { SignalBook } from '../fleet/signal-book.ts';

const SECOND = 1_000;
const SERVICE_DOWN_MS = 150 * SECOND;
/** Long after all that the leader before has noted, by its own clock. */
const TAKEN_OVER_AT = 5_000 * SECOND;
const LAST = '2026-03-01T12:00:00.000Z';
const NEXT = '2026-03-01T12:01:00.000Z';
const LATER = '2026-03-01T12:02:00.000Z';

describe('a host that was proved to be off when its leader went', () => {
  it('is declared dead by the next one, which sees its last heartbeat for the first time, without a word of a person', async () => {
    await using run = await startRun(LAST);

    const passes = await run.watch([0, 1, 2, 15, 30, 45]);

    expect(passes.map(({ judgement, reason }) => [judgement, reason])).toEqual([
      ['unknown', 'stale-proof'],
      ['unknown', 'clean-up'],
      ...passes.slice(2).map(() => ['unknown', 'force-down']),
    ]);
    expect(passes.slice(2).flatMap(({ forcedDown }) => forcedDown)).toEqual(Array(4).fill(`boot-1 ${LAST}`));
  });

  it('is not declared dead once it shows another heartbeat, nor when that has become old', async () => {
    await using run = await startRun(LAST);
    const [before] = await run.watch([0]);

    run.heartbeat = NEXT;
    const passes = await run.watch([1, 2, 30, 150, 200, 400]);

    expect(before).toMatchObject({ judgement: 'unknown', reason: 'stale-proof' });
    expect(passes.slice(0, 4).map(({ judgement }) => judgement)).toEqual(Array(4).fill('alive'));
    expect(passes.map(({ reason, forcedDown }) => [reason, forcedDown])).toEqual(
      passes.map(() => ['contradiction', []]),
    );
  });

  it('is not declared dead when it has shown another heartbeat before the next one looked', async () => {
    await using run = await startRun(NEXT);

    const passes = await run.watch([0, 1, 2, 200, 400]);

    expect(passes.map(({ reason, forcedDown }) => [reason, forcedDown])).toEqual(
      passes.map(() => ['contradiction', []]),
    );
  });

  it('is declared dead by one that has led before, when the host still lived', async () => {
    await using run = await startRun('2026-03-01T11:00:00.000Z');
    // All that this replica has seen of it.
    await run.compute.hosts.list(AbortSignal.timeout(10 * SECOND));
    run.now += 600 * SECOND;
    run.heartbeat = LAST;

    const passes = await run.watch([600, 601, 602, 615]);

    expect(passes.map(({ reason }) => reason)).toEqual(['stale-proof', 'clean-up', 'force-down', 'force-down']);
  });
});

describe('a host that was told to power off when its leader went, and whose power reads off', () => {
  it('is not declared dead when it has shown another heartbeat before the next one looked, and beats on', async () => {
    await using run = await startRun(NEXT, beingFenced());
    const unwatched = await run.watch([0, 1, 2, 3, 4, 45, 59]);

    run.heartbeat = LATER;
    const passes = await run.watch([60, 61, 62, 63, 100]);

    expect(unwatched.map(({ judgement, reason }) => [judgement, reason])).toEqual(
      unwatched.map(() => ['unknown', 'proof']),
    );
    expect(passes.map(({ judgement, reason }) => [judgement, reason])).toEqual(
      passes.map(() => ['alive', 'alive-after-fence']),
    );
    expect([...unwatched, ...passes].flatMap(({ forcedDown }) => forcedDown)).toEqual([]);
  });

  it.each([LAST, NEXT])('is declared dead without a word of a person once its %s is too old', async (heartbeat) => {
    await using run = await startRun(heartbeat, beingFenced());

    const passes = await run.watch([0, 1, 2, 3, 100, 149, 151, 152, 153, 154]);

    expect(passes.map(({ judgement, reason }) => `${judgement} ${reason}`)).toEqual([
      ...Array(6).fill('unknown proof'),
      'suspect force-down',
      'suspect clean-up',
      ...Array(2).fill('suspect force-down'),
    ]);
    expect(passes.flatMap(({ forcedDown }) => forcedDown)).toEqual(Array(2).fill(`boot-1 ${heartbeat}`));
  });
});

interface Pass {
  readonly judgement: Judgement['kind'];
  readonly reason: string | undefined;
  readonly forcedDown: readonly (string | undefined)[];
}

/** A leader that has taken an incident over, and an API server that has one Node. */
class Run implements AsyncDisposable {
  readonly compute: Compute;
  now: number = TAKEN_OVER_AT;
  heartbeat: string;
  readonly #book = new SignalBook();
  readonly #watch = new ComputeWatch(this.#book);
  readonly #owned: AsyncDisposableStack;
  readonly #before: Incident;
  #incident: Incident | undefined;

  constructor(client: KubeClient, heartbeat: string, before: Incident, owned: AsyncDisposableStack) {
    this.heartbeat = heartbeat;
    this.#before = before;
    const settings = { ...defaultVmComputeSettings, heartbeatTimeoutMs: SERVICE_DOWN_MS };
    this.compute = createVmCompute({ client, settings, monotonic: () => this.now });
    this.#owned = owned;
  }

  /** What comes of each pass so many seconds after the takeover. */
  async watch(seconds: readonly number[]): Promise<readonly Pass[]> {
    const passes: Pass[] = [];
    for (const second of seconds) passes.push(await this.#pass(TAKEN_OVER_AT + second * SECOND));
    return passes;
  }

  async #pass(now: number): Promise<Pass> {
    this.now = now;
    const listed = await this.compute.hosts.list(AbortSignal.timeout(10 * SECOND));
    this.#watch.take(listed, now, { nameOf: ({ name }) => name, serviceDownMs: SERVICE_DOWN_MS });
    const signals = Array.from(this.#book.signalsOf('n1').values(), (each) => ({
      ...each,
      reachableSince: TAKEN_OVER_AT,
    }));
    const { judgement: settings } = defaultDetectionSettings;
    const isUnwatched = this.#watch.isUnwatched('n1', now);
    const boot = { previous: undefined, latest: undefined };
    const judgement = judgeHost({ signals, boot, isUnwatched }, settings, now);
    const before = (this.#incident ??= adoptIncident(this.#before, now));
    const news = { judgement, lastLifeAt: lastLifeAt({ signals }, settings), lifeSign: listed[0]?.lifeSign };
    const steps = nextSteps(before, { ...factsOf(before, now), ...news }, defaultDetectionSettings, now);
    this.#incident = steps.incident;
    const forcedDown = steps.actions.flatMap((action) => (action.kind === 'force-down' ? [action.lifeSign] : []));
    return { judgement: judgement.kind, reason: steps.incident.wait?.reason, forcedDown };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#owned.disposeAsync();
  }
}

/** Its network is being cleaned up. The leader before has noted its last sign of life by a clock of its own. */
function leftBehind(): Incident {
  const readings = [40, 41, 42].map((at) => ({ level: 0, at: at * SECOND, session: `s${at}`, power: 'off' }) as const);
  return incident({
    state: 'forcing-down',
    fences: [{ level: 0, askedAt: 30 * SECOND, answer: undefined }],
    readings,
    lastLifeAt: -300 * SECOND,
    lifeSign: { text: `boot-1 ${LAST}`, seenAt: -200 * SECOND },
    proof: { kind: 'readings', since: 40 * SECOND, readings },
    cleanUp: { state: 'open', since: 43 * SECOND, askedAt: 43 * SECOND, tries: 1, message: '' },
    oldEvacuations: [],
  });
}

/** One whose power the leader before has not read yet. */
function beingFenced(): Incident {
  const { readings: _, proof: __, cleanUp: ___, oldEvacuations: ____, ...before } = leftBehind();
  return incident({ ...before, state: 'fencing', fenceMethods: ['redfish'] });
}

/** Its power reads off, and its clean-up is done as soon as it is asked for. */
function factsOf({ cleanUp, adoptedAt = 0 }: Incident, now: number): Omit<IncidentFacts, 'judgement'> {
  const reading = { level: 0, at: now, session: `s${now}`, power: 'off' } as const;
  const lists = { instances: [], left: [], evacuations: [], targets: undefined };
  return {
    verdict: undefined,
    lastLifeAt: undefined,
    watchedSince: undefined,
    isPaused: false,
    readings: now > adoptedAt ? [reading] : [],
    fenceAnswer: undefined,
    evacuationAnswers: new Map(),
    compute: { at: now, isForcedDown: false, isEnabled: false, ...lists },
    decisions: [],
    ...(cleanUp?.askedAt !== undefined && { cleanUpAnswer: { isDone: true, message: 'gone' } }),
  };
}

async function startRun(heartbeat: string, before: Incident = leftBehind()): Promise<Run> {
  await using owned = new AsyncDisposableStack();
  const server = createServer((_request, response) => {
    const annotations = { [WellKnownName.heartbeatAnnotation]: run.heartbeat };
    const node = { metadata: { name: 'n1', uid: 'u1', annotations }, status: { nodeInfo: { bootID: 'boot-1' } } };
    const list = { kind: 'NodeList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [node] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(list));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  owned.defer(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const config = {
    server: `http://127.0.0.1:${port}`,
    tls: { isInsecure: false },
    identity: { kind: 'anonymous' },
    namespace: 'default',
  } as const;
  const client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  const run = new Run(client, heartbeat, before, owned.move());
  return run;
}
