import { setImmediate as turn } from 'node:timers/promises';

import { migrationKind, type Migration } from '@smalt/fleet-api';
import { isKubeError, type ResourceClient } from '@smalt/kube';
import type { MigrationRole, Observation } from '@smalt/migration-record';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import { openHosts, type Hosts } from '../fixtures/open-hosts.ts';
import type { RecordTarget } from './record-store.ts';
import { writeRecord } from './write-record.ts';

/** Each is a chance to meet one of the rare orders; more take more than a few seconds. */
const RUNS = 8;
const FIRST_MS = Date.UTC(2026, 0, 1);
const PLACE = { namespace: 'default', toleranceMs: 5000 };
/** From which host to which a guest goes, and when. */
const BETWEEN_TWO: readonly Journey[] = [
  { from: 'a', to: 'b', began: 0, ended: 1.2 },
  { from: 'b', to: 'a', began: 1.5, ended: 2.6 },
  { from: 'a', to: 'b', began: 3.4, ended: 4.8 },
  { from: 'b', to: 'a', began: 5.1, ended: 6 },
];
/** Each host is none of the two of some of them. */
const AMONG_THREE: readonly Journey[] = [
  { from: 'a', to: 'b', began: 0, ended: 1.2 },
  { from: 'b', to: 'c', began: 11.5, ended: 12.6 },
  { from: 'c', to: 'b', began: 23.4, ended: 24.8 },
  { from: 'b', to: 'a', began: 35.1, ended: 36 },
];
/** How often a host looks whether others put their record away. */
const PATIENCE = 10;
const MOST_TRIES = 200;

interface Journey {
  readonly from: string;
  readonly to: string;
  readonly began: number;
  readonly ended: number;
}

let bed: FleetBed;
let hosts: Hosts;

beforeAll(async () => {
  bed = await startFleetBed();
  hosts = await openHosts(bed, ['a', 'b', 'c']);
});

afterAll(async () => {
  await hosts[Symbol.asyncDispose]();
  await bed[Symbol.asyncDispose]();
});

it.each([
  { who: 'both hosts', journeys: BETWEEN_TWO },
  { who: 'three hosts', journeys: AMONG_THREE },
])(
  'has one record of each journey when $who tell all at once and lose the API now and then',
  { timeout: 60_000 },
  async ({ journeys }) => {
    const luck = fc.array(fc.nat({ max: 19 }), { minLength: 120, maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(fc.tuple(luck, luck, luck), async (lucks) => {
        const instance = crypto.randomUUID();
        const names = [...new Set(journeys.map(({ from }) => from))];

        await Promise.all(
          names.map((host, index) => {
            const migrations = unreliable(hosts.of(host), lucks[index] ?? []);
            return tellAll({ ...PLACE, migrations }, instance, journeys, host);
          }),
        );

        const requirements = [{ key: 'smalt.dev/instance', operator: 'in' as const, values: [instance] }];
        const selected = { namespace: 'default', labelSelector: { requirements } };
        const { items } = await bed.client.resource(migrationKind).list(selected);
        const told = items.map(({ status }) => `${status?.started} ${status?.origin} ${status?.destination}`);
        expect(told.toSorted()).toEqual(journeys.map(({ from, to, began }) => `${at(began)} ${from} ${to}`));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
);

/** Tells what a host has seen of all journeys, each until it is told. */
async function tellAll(
  target: RecordTarget,
  instance: string,
  journeys: readonly Journey[],
  host: string,
): Promise<void> {
  for (const { from, to, began, ended } of journeys.filter((each) => each.from === host || each.to === host)) {
    const seen =
      host === from
        ? observation({ instance, role: 'origin', host, began, ended })
        : observation({ instance, role: 'destination', host: to, began: began + 0.2, ended: ended - 0.1 });
    await tell(target, seen);
  }
}

async function tell(target: RecordTarget, seen: Observation): Promise<void> {
  let uid: string | undefined;
  const onAttempt = (attempted: string | undefined): void => {
    uid = attempted;
  };
  let failure: unknown;
  for (let count = 0; count < MOST_TRIES; count++) {
    const written = { uid, isPatient: count < PATIENCE, onAttempt };
    try {
      const { kind } = await writeRecord(target, seen, written, AbortSignal.timeout(10_000));
      if (kind === 'written') return;
    } catch (error) {
      // Whatever else gets lost is tried again; but an agent asks for nothing that it may not do.
      if (isKubeError(error, 'forbidden')) throw error;
      failure = error;
    }
  }
  throw new Error(`${seen.host} cannot tell what it saw`, { cause: failure });
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
