import { migrationKind, type Migration } from '@smalt/fleet-api';
import { DomainMigrateFlags, DomainState, type Domain } from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { awaitedLater } from './awaited-later.ts';
import { move, startMigrationBed, type FleetHost, type MigrationBed } from './migration-bed.ts';

// Each test takes over where the one before has left the guests.
describe('a fleet of two hosts', { timeout: 120_000 }, () => {
  let bed: MigrationBed;
  let guest: Domain;
  let second: Domain;
  let third: Domain;

  beforeAll(async () => {
    bed = await startMigrationBed();
    [guest, second, third] = await Promise.all([bed.boot('one'), bed.boot('two'), bed.boot('three')]);
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  it('tells migrations of all kinds, at the same time', async () => {
    await using _agents = await startAgents(bed.a, bed.b);

    await bed.a.daemon.domainSuspend({ domain: third });
    await Promise.all([
      move(bed.a, bed.b, guest, { flags: DomainMigrateFlags.tunnelled }),
      movePostCopy(bed, second),
      move(bed.a, bed.b, third, { flags: DomainMigrateFlags.persistDest | DomainMigrateFlags.undefineSource }),
    ]);
    const told = await bed.until((all) => all.filter((each) => isFull(each) && isOverForOrigin(each)).length === 3);

    expect(told.map(({ status }) => status)).toEqual(
      [guest, second, third].map(() =>
        expect.objectContaining({
          origin: 'node-a',
          destination: 'node-b',
          type: 'completed',
          operation: 'migration_out',
          dataRemaining: '0 B',
          downtime: expect.stringMatching(/^[\d.]+m?s$/),
        }),
      ),
    );
    expect((await bed.b.daemon.domainGetState({ domain: third })).state).toBe(DomainState.paused);
    await bed.b.daemon.domainResume({ domain: third });
  });

  it('loses no result while the API is away, and tells it once it is back', async () => {
    await using _agents = await startAgents(bed.a, bed.b);
    const moved = awaitedLater(move(bed.b, bed.a, guest, { bandwidth: 8n }));
    const [before] = await latest(bed, guest, ({ status }) => status?.type === 'unbounded' && isFull({ status }));

    await bed.server.kill();
    await bed.b.daemon.domainMigrateSetMaxSpeed({ domain: guest, bandwidth: 100n });
    await moved;
    await bed.server.restart(AbortSignal.timeout(60_000));
    const [after] = await latest(bed, guest, isOverForOrigin);

    expect(after?.status).toMatchObject({ origin: 'node-b', destination: 'node-a', type: 'completed' });
    expect(after?.metadata.uid).toBe(before?.metadata.uid);
  });

  it('joins a destination whose agent comes late', async () => {
    await using _agentOfA = await bed.a.startAgent();
    const moved = awaitedLater(move(bed.a, bed.b, guest, { bandwidth: 8n }));
    const [before] = await latest(bed, guest, ({ status }) => status?.origin === 'node-a' && !isOver({ status }));

    await using _agentOfB = await bed.b.startAgent();
    const [joined] = await latest(bed, guest, isFull);
    await bed.a.daemon.domainMigrateSetMaxSpeed({ domain: guest, bandwidth: 100n });
    await moved;
    const [after] = await latest(bed, guest, isOver);

    expect(before?.status?.destination).toBeUndefined();
    expect(joined?.status).toMatchObject({ origin: 'node-a', destination: 'node-b', type: 'unbounded' });
    expect(after?.status).toMatchObject({ type: 'completed', started: before?.status?.started });
  });

  it('goes on with the same record when the agent is started anew, and needs no other agent', async () => {
    await using first = await bed.b.startAgent();
    const moved = awaitedLater(move(bed.b, bed.a, guest, { bandwidth: 8n }));
    const [before] = await latest(bed, guest, ({ status }) => status?.origin === 'node-b' && !isOver({ status }));
    await first[Symbol.asyncDispose]();

    await using _second = await bed.b.startAgent();
    await latest(bed, guest, ({ status }) => status?.timeElapsed !== before?.status?.timeElapsed);
    await bed.b.daemon.domainMigrateSetMaxSpeed({ domain: guest, bandwidth: 100n });
    await moved;
    const [after] = await latest(bed, guest, isOver);

    expect(after?.metadata.uid).toBe(before?.metadata.uid);
    expect(after?.status).toMatchObject({ type: 'completed', started: before?.status?.started });
    expect(after?.status?.destination).toBeUndefined();
  });

  it('tells that a migration failed when the daemon of its origin died', async () => {
    await using _agents = await startAgents(bed.a, bed.b);
    const moved = move(bed.a, bed.b, guest, { bandwidth: 4n }).catch((error: unknown) => error);
    await latest(bed, guest, ({ status }) => status?.origin === 'node-a' && isFull({ status }) && !isOver({ status }));

    bed.a.host.daemon.kill('SIGKILL');
    await moved;
    await bed.a.host.daemon.restart();
    const [after] = await latest(bed, guest, isOverForOrigin);

    expect(after?.status).toMatchObject({ origin: 'node-a', destination: 'node-b', type: 'failed' });
    expect(after?.status?.errMsg).toMatch(/the guest goes on at its origin/);
  });

  it('tells that it failed also when libvirt itself cancels it, as soon as it is back', async () => {
    await using _agents = await startAgents(bed.a, bed.b);
    const moved = move(bed.a, bed.b, guest, { bandwidth: 4n }).catch((error: unknown) => error);
    await latest(bed, guest, ({ status }) => status?.origin === 'node-a' && isFull({ status }) && !isOver({ status }));

    // Everybody else takes their time, so that the agent is there when libvirt cancels, and nobody gives up before.
    await using _still = await standStill(bed, 'one');
    const back = timesBackAtA(bed);
    bed.a.host.daemon.kill('SIGKILL');
    await bed.a.host.daemon.restart();
    await moved;
    await expect.poll(() => timesBackAtA(bed), { timeout: 30_000 }).toBeGreaterThan(back);
    await signalGuest(bed.a, 'one', 'CONT');
    const [after] = await latest(bed, guest, isOverForOrigin);

    expect(after?.status).toMatchObject({ origin: 'node-a', destination: 'node-b', type: 'failed' });
  });

  it('tells that a migration came to nothing when its destination lost power', async () => {
    await using _agents = await startAgents(bed.a, bed.b);
    const moved = move(bed.a, bed.b, guest, { bandwidth: 4n }).catch((error: unknown) => error);
    await latest(bed, guest, ({ status }) => isFull({ status }) && !isOver({ status }));

    await bed.b.host.crash();
    await moved;
    const [after] = await latest(bed, guest, isOver);
    const told = endingsAt(bed, 'node-b');
    await bed.b.host.powerOn();
    // Its agent has to close its part, too: the next one begins with what it left.
    await expect.poll(() => endingsAt(bed, 'node-b')).toBeGreaterThan(told);

    // libvirt cancels the job of a destination it has lost; whether QEMU had noticed before is a race.
    const type: unknown = expect.stringMatching(/^(?:failed|cancelled)$/);
    expect(after?.status).toMatchObject({ origin: 'node-a', destination: 'node-b', type });
  });

  it('tells a cut network from a migration that somebody cancelled', async () => {
    await using _agents = await startAgents(bed.a, bed.b);
    const moved = move(bed.a, bed.b, guest, { bandwidth: 4n }).catch((error: unknown) => error);
    await latest(bed, guest, ({ status }) => isFull({ status }) && !isOver({ status }));

    await bed.b.host.cut();
    await moved;
    const [after] = await latest(bed, guest, isOver);
    await bed.b.host.heal();

    expect(after?.status).toMatchObject({ origin: 'node-a', destination: 'node-b', type: 'failed' });
  });

  it('keeps what happened for as long as it is told to', async () => {
    const { items: told } = await bed.migrations.list();

    await using _agentOfA = await bed.a.startAgent({ timeToLiveMs: 1000 });
    await using _agentOfB = await bed.b.startAgent({ timeToLiveMs: 1000 });
    await bed.until((all) => all.length === 0);

    expect(told.filter(({ metadata }) => metadata.name.startsWith(guest.uuid)).length).toBeGreaterThanOrEqual(6);
    expect(bed.log.filter((line) => line.includes('old migrations were deleted'))).not.toEqual([]);
    // A destination may notice only now that its network was cut, and tell of it: that record has to go, too.
    await expect.poll(() => bed.kubectl('get', migrationKind.plural)).toBe('');
  });
});

interface Told {
  readonly status?: Migration['status'] | undefined;
}

async function startAgents(...hosts: readonly FleetHost[]): Promise<AsyncDisposableStack> {
  await using stack = new AsyncDisposableStack();
  for (const host of hosts) stack.use(await host.startAgent());
  return stack.move();
}

/** Has a guest and the daemon that it goes to stand still; that daemon goes on in the end. */
async function standStill({ a, b }: MigrationBed, name: string): Promise<AsyncDisposable> {
  await signalGuest(a, name, 'STOP');
  b.host.daemon.kill('SIGSTOP');
  return {
    [Symbol.asyncDispose]: async () => {
      b.host.daemon.kill('SIGCONT');
      await signalGuest(a, name, 'CONT');
    },
  };
}

async function signalGuest({ host }: FleetHost, name: string, signal: 'STOP' | 'CONT'): Promise<void> {
  await host.exec(['sh', '-c', `kill -${signal} "$(cat /run/libvirt/qemu/${name}.pid)"`]);
}

/** How often an agent of the first host has found libvirt again. */
function timesBackAtA({ log }: MigrationBed): number {
  return log.filter((line) => line.startsWith('node-a') && line.includes('watching for migrations again')).length;
}

async function movePostCopy(bed: MigrationBed, domain: Domain): Promise<void> {
  await using iterations = await bed.a.daemon.domainEvents({ kinds: ['migration-iteration'], domain });
  const moved = awaitedLater(move(bed.a, bed.b, domain, { flags: DomainMigrateFlags.postcopy, bandwidth: 10n }));
  await iterations.next();
  await bed.a.daemon.domainMigrateStartPostCopy({ domain });
  await moved;
}

/** How many migrations the agent of a host has told the end of. */
function endingsAt({ log }: MigrationBed, host: string): number {
  return log.filter((line) => line.includes(`"name":"${host}"`) && line.includes('a migration ended')).length;
}

/** The record that bears the id of the guest, once it is as wanted. */
async function latest(
  bed: MigrationBed,
  { uuid }: Domain,
  isWanted: (migration: Migration) => boolean,
): Promise<readonly [Migration | undefined]> {
  const isLatest = (each: Migration): boolean => each.metadata.name === uuid && isWanted(each);
  const all = await bed.until((migrations) => migrations.some(isLatest));
  return [all.find(isLatest)];
}

function isOver({ status }: Told): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status?.type ?? '');
}

function isOverForOrigin({ status }: Told): boolean {
  return isOver({ status }) && status?.operation === 'migration_out';
}

function isFull({ status }: Told): boolean {
  return status?.origin !== undefined && status.destination !== undefined;
}
