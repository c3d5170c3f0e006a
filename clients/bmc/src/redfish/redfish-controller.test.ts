import {
  at,
  errorBody,
  type BedRedfish,
  makeAuthority,
  type RedfishAnswering,
  sendJson,
  startRedfish,
  system,
  type TestAuthority,
} from '@smalt/bed-redfish';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { type Clock, systemClock } from '../clock.ts';
import { controllerOf, settingsOf } from '../fixtures/controller-of.ts';
import { RedfishController } from './redfish-controller.ts';

const RESET = '/redfish/v1/Systems/1/Actions/ComputerSystem.Reset';
const SESSIONS = '/redfish/v1/SessionService/Sessions';
const never = new AbortController().signal;
let authority: TestAuthority;

beforeAll(async () => {
  authority = await makeAuthority();
});

afterAll(async () => {
  await authority[Symbol.asyncDispose]();
});

describe('reading the power', () => {
  it.each([
    { says: 'On', state: 'on' },
    { says: 'Off', state: 'off' },
    { says: 'PoweringOn', state: 'powering-on' },
    { says: 'Paused', state: 'paused' },
    { says: null, state: 'unknown' },
    { says: undefined, state: 'unknown' },
  ])('takes PowerState $says for $state', async ({ says, state }) => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, { ...system('/redfish/v1/Systems/1'), power: says });

    const reading = await controllerOf(bmc, authority).readPower(never);

    expect(reading).toEqual({ state, method: `redfish ${bmc.url}/redfish/v1/Systems/1` });
  });

  it.each([{ says: 'OFF' }, { says: 0 }, { says: ['Off'] }])('does not guess what $says means', async ({ says }) => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, { ...system('/redfish/v1/Systems/1'), power: says });

    await expect(controllerOf(bmc, authority).readPower(never)).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('opens a session for each reading and closes it', async () => {
    await using bmc = await startRedfish({ authority });
    const controller = controllerOf(bmc, authority);

    await controller.readPower(never);
    await controller.readPower(never);

    const tokens = bmc.requests.filter(({ path }) => path.endsWith('/Systems/1')).map(tokenOf);
    expect(tokens).toEqual(['token-1', 'token-2']);
    expect(bmc.sessions.size).toBe(0);
  });

  it('closes its session after a failure too', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.answering = at('GET', '/redfish/v1/Systems/1', (response) => sendJson(response, 500, undefined));

    await expect(controllerOf(bmc, authority).readPower(never)).rejects.toMatchObject({
      code: 'refused',
      httpStatus: 500,
    });

    expect(bmc.sessions.size).toBe(0);
  });

  it('sends the password instead of a session if that is wanted', async () => {
    await using bmc = await startRedfish({ authority });

    await controllerOf(bmc, authority, { authentication: 'basic' }).readPower(never);

    expect(bmc.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /redfish/v1/',
      'GET /redfish/v1/Systems',
      'GET /redfish/v1/Systems/1',
    ]);
  });

  it('tells that a session was left open, and gives the reading all the same', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.answering = ({ method }, response) => (method === 'DELETE' ? sendJson(response, 500, undefined) : 'as-usual');
    const ignored: string[] = [];
    const ignore = (_error: unknown, why: string): void => void ignored.push(why);

    const reading = await new RedfishController(settingsOf(bmc, authority), { ignore }).readPower(never);

    expect(reading.state).toBe('on');
    expect(ignored).toEqual(['a Redfish session could not be closed']);
  });
});

describe('finding the system', () => {
  const [a, b, c] = ['/redfish/v1/Systems/a', '/redfish/v1/Systems/b', '/redfish/v1/Systems/c'] as const;

  it('goes through all pages for the one with the UUID', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, system(a), system(b), system(c, 'Off'));
    bmc.pageSize = 1;
    const systemUuid = 'cccccccc-0000-0000-0000-000000000000';

    const reading = await controllerOf(bmc, authority, { systemUuid }).readPower(never);

    expect(reading).toEqual({ state: 'off', method: `redfish ${bmc.url}${c}` });
  });

  it('touches none of several if it was not told which', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, system(a), system(b));
    bmc.pageSize = 1;

    await expect(controllerOf(bmc, authority).powerOff(never)).rejects.toMatchObject({
      code: 'no-such-system',
      message: `the controller has ${a}, ${b}: set systemPath or systemUuid`,
    });

    expect(bmc.systems.map(({ power }) => power)).toEqual(['On', 'On']);
  });

  it('does not switch off a system at the right path with another UUID', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, system(a));
    const wrong = { systemPath: a, systemUuid: 'bbbbbbbb-0000-0000-0000-000000000000' };

    await expect(controllerOf(bmc, authority, wrong).powerOff(never)).rejects.toMatchObject({ code: 'no-such-system' });

    expect(bmc.systems[0]?.power).toBe('On');
  });

  it('takes any path that it is given, and says so if there is nothing', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, system('/redfish/v1/Systems/System.Embedded.1', 'Off'));
    const settings = { systemPath: '/redfish/v1/Systems/System.Embedded.1' };

    const reading = await controllerOf(bmc, authority, settings).readPower(never);
    const missing = controllerOf(bmc, authority, { systemPath: '/redfish/v1/Systems/9' }).readPower(never);

    expect(reading.state).toBe('off');
    await expect(missing).rejects.toMatchObject({ code: 'no-such-system', httpStatus: 404 });
  });

  it('does not follow a list that leads back to itself', async () => {
    await using bmc = await startRedfish({ authority });
    const loop = { Members: [], 'Members@odata.nextLink': '/redfish/v1/Systems' };
    bmc.answering = at('GET', '/redfish/v1/Systems', (response) => sendJson(response, 200, loop));

    await expect(controllerOf(bmc, authority).readPower(never)).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('follows a redirect, but never to another host', async () => {
    await using bmc = await startRedfish({ authority });
    const location = 'https://elsewhere.example/redfish/v1/Systems/1';
    bmc.answering = at('GET', '/redfish/v1/Systems/old', (response) => sendJson(response, 308, {}, { location }));

    const reading = await controllerOf(bmc, authority, { systemPath: '/redfish/v1/Systems/old' }).readPower(never);

    expect(reading.state).toBe('on');
  });
});

describe('switching', () => {
  it('forces the power off, and on again', async () => {
    await using bmc = await startRedfish({ authority });
    const controller = controllerOf(bmc, authority);

    await controller.powerOff(never);
    const between = bmc.systems[0]?.power;
    await controller.powerOn(never);

    expect([between, bmc.systems[0]?.power]).toEqual(['Off', 'On']);
    expect(bmc.requests.filter(({ path }) => path === RESET).map(({ body }) => body)).toEqual([
      '{"ResetType":"ForceOff"}',
      '{"ResetType":"On"}',
    ]);
    expect(bmc.sessions.size).toBe(0);
  });

  it('counts a host that is off already as asked', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, system('/redfish/v1/Systems/1', 'Off'));

    await expect(controllerOf(bmc, authority).powerOff(never)).resolves.toBeUndefined();

    expect(bmc.requests.some(({ path }) => path === RESET)).toBe(true);
  });

  it.each([{ status: 400 }, { status: 409 }, { status: 500 }])(
    'passes a refusal with $status on while the host is on',
    async ({ status }) => {
      await using bmc = await startRedfish({ authority });
      const body = errorBody('Base.1.8.ResourceInUse', 'Firmware is being updated');
      bmc.answering = at('POST', RESET, (response) => sendJson(response, status, body));

      await expect(controllerOf(bmc, authority).powerOff(never)).rejects.toMatchObject({
        code: 'refused',
        httpStatus: status,
        message: `POST ${bmc.url}${RESET}: HTTP ${status}: Base.1.8.ResourceInUse Firmware is being updated`,
      });
    },
  );

  it('knows where the reset is if the controller does not tell', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.systems.splice(0, 1, { ...system('/redfish/v1/Systems/1'), hasActions: false });

    await controllerOf(bmc, authority).powerOff(never);

    expect(bmc.systems[0]?.power).toBe('Off');
  });

  it.each([
    { end: [200, { TaskState: 'Completed' }], outcome: 'done' },
    { end: [204, undefined], outcome: 'done' },
    { end: [404, undefined], outcome: 'done' },
    { end: [200, { TaskState: 'Exception', Messages: [{ Message: 'No power unit' }] }], outcome: 'refused' },
  ] as const)('waits for the end of a task: $end.0 $end.1 is $outcome', async ({ end, outcome }) => {
    await using bmc = await startRedfish({ authority });
    const clock = quickClock();
    bmc.answering = taskOf([[202, { TaskState: 'Running' }], [200, { TaskState: 'Starting' }], end]);

    const asked = new RedfishController(settingsOf(bmc, authority), { clock }).powerOff(never).then(
      () => 'done',
      (error: { code: string }) => error.code,
    );

    await expect(asked).resolves.toBe(outcome);
    expect(clock.waits).toEqual([2000, 500, 500]);
  });

  it('comes back after the time that the controller asks for', async () => {
    await using bmc = await startRedfish({ authority });
    const clock = quickClock();
    bmc.answering = firstOnly(RESET, (response) => sendJson(response, 503, undefined, { 'retry-after': '3' }));

    await new RedfishController(settingsOf(bmc, authority), { clock }).powerOff(never);

    expect(clock.waits).toEqual([3000]);
    expect(bmc.systems[0]?.power).toBe('Off');
  });

  it('does not wait for a controller that wants to be left alone for long', async () => {
    await using bmc = await startRedfish({ authority });
    bmc.answering = at('POST', SESSIONS, (response) => sendJson(response, 503, undefined, { 'retry-after': '600' }));

    await expect(controllerOf(bmc, authority).powerOff(never)).rejects.toMatchObject({
      code: 'refused',
      retryAfterMs: 600_000,
    });
  });
});

type Responding = (response: Parameters<RedfishAnswering>[1]) => 'as-usual' | void;

function firstOnly(path: string, respond: Responding): RedfishAnswering {
  let isFirst = true;
  return (request, response) => {
    if (request.path !== path || !isFirst) return 'as-usual';
    isFirst = false;
    return respond(response);
  };
}

/** A reset that becomes a task, whose monitor gives these answers in turn. */
function taskOf(answers: readonly (readonly [number, unknown])[]): RedfishAnswering {
  const left = [...answers];
  return ({ path }, response) => {
    if (path === RESET) {
      const location = '/redfish/v1/TaskService/TaskMonitors/7';
      return sendJson(response, 202, undefined, { location, 'retry-after': '2' });
    }
    if (!path.includes('TaskMonitors')) return 'as-usual';
    const [status, body] = left.shift() ?? [500, undefined];
    return sendJson(response, status, body);
  };
}

function quickClock(): Clock & { readonly waits: readonly number[] } {
  const waits: number[] = [];
  return {
    ...systemClock,
    waits,
    wait: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
  };
}

function tokenOf({ headers }: BedRedfish['requests'][number]): unknown {
  return headers['x-auth-token'];
}
