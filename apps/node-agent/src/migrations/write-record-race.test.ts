import { setImmediate as turn } from 'node:timers/promises';

import { migrationKind, type Migration } from '@smalt/fleet-api';
import type { ResourceClient } from '@smalt/kube';
import type { MigrationRole, Observation } from '@smalt/migration-record';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import { writeRecord, type RecordTarget } from './write-record.ts';

/** Each is a chance to meet one of the rare orders; more take more than a few seconds. */
const RUNS = 8;
const FIRST_MS = Date.UTC(2026, 0, 1);
/** From which host to which a guest goes, and when. */
const JOURNEYS = [
  { from: 'a', to: 'b', began: 0, ended: 1.2 },
  { from: 'b', to: 'a', began: 1.5, ended: 2.6 },
  { from: 'a', to: 'b', began: 3.4, ended: 4.8 },
  { from: 'b', to: 'a', began: 5.1, ended: 6 },
] as const;

let bed: FleetBed;

beforeAll(async () => {
  bed = await startFleetBed();
});

afterAll(() => bed[Symbol.asyncDispose]());

it(
  'has one record of each journey when both hosts tell all at once and lose the API now and then',
  { timeout: 60_000 },
  async () => {
    const migrations = bed.client.resource(migrationKind);
    const luck = fc.array(fc.nat({ max: 19 }), { minLength: 120, maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(luck, luck, async (luckOfA, luckOfB) => {
        const instance = crypto.randomUUID();
        const target = { migrations, namespace: 'default', toleranceMs: 5000 };

        await Promise.all([
          tellAll({ ...target, migrations: unreliable(migrations, luckOfA) }, instance, 'a'),
          tellAll({ ...target, migrations: unreliable(migrations, luckOfB) }, instance, 'b'),
        ]);

        const requirements = [{ key: 'smalt.dev/instance', operator: 'in' as const, values: [instance] }];
        const { items } = await migrations.list({ namespace: 'default', labelSelector: { requirements } });
        const told = items.map(({ status }) => `${status?.started} ${status?.origin} ${status?.destination}`);
        expect(told.toSorted()).toEqual(JOURNEYS.map(({ from, to, began }) => `${at(began)} ${from} ${to}`));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);

/** Tells what a host has seen of all journeys, each until it is told. */
async function tellAll(target: RecordTarget, instance: string, host: string): Promise<void> {
  for (const { from, to, began, ended } of JOURNEYS) {
    const seen =
      host === from
        ? observation({ instance, role: 'origin', host, began, ended })
        : observation({ instance, role: 'destination', host: to, began: began + 0.2, ended: ended - 0.1 });
    let uid: string | undefined;
    const onAttempt = (attempted: string | undefined): void => {
      uid = attempted;
    };
    for (let isTold = false; !isTold;) {
      isTold = await writeRecord(target, seen, { uid, onAttempt }, AbortSignal.timeout(10_000)).then(
        ({ kind }) => kind === 'written',
        () => false,
      );
    }
  }
}

/** The client of an agent whose requests are late, and sometimes lost on their way there or back. */
function unreliable(client: ResourceClient<Migration>, luck: readonly number[]): ResourceClient<Migration> {
  const draws = luck.values();
  return new Proxy(client, {
    get: (_client, key) => {
      const value: unknown = Reflect.get(client, key, client);
      if (typeof value !== 'function') return value;
      return async (...words: readonly unknown[]): Promise<unknown> => {
        const { value: draw = 0 } = draws.next();
        for (let turns = 0; turns < draw; turns++) await turn();
        if (draw === 19) throw new Error('the request got lost');
        const answer: unknown = await Reflect.apply(value, client, words);
        if (draw === 18) throw new Error('the answer got lost');
        return answer;
      };
    },
  });
}

interface Account {
  readonly instance: string;
  readonly role: MigrationRole;
  readonly host: string;
  readonly began: number;
  readonly ended: number;
}

function observation({ instance, role, host, began, ended }: Account): Observation {
  return {
    instance,
    role,
    host,
    startedAtMs: Date.parse(at(began)),
    isEstimated: false,
    elapsedMs: Math.round((ended - began) * 1000),
    progress: {},
    result: { kind: 'completed' },
  };
}

function at(second: number): string {
  return new Date(FIRST_MS + Math.round(second * 1000)).toISOString();
}
