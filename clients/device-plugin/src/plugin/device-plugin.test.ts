import { chmod, mkdtempDisposable, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Clock } from '../clock.ts';
import { FakeKubelet } from '../fixtures/fake-kubelet.ts';
import { textFields, writeMessage } from '../wire/write-message.ts';
import { readMessage } from '../wire/read-message.ts';
import type { OfferedDevice } from './device-offer.ts';
import { DevicePlugin, type DevicePluginOptions } from './device-plugin.ts';

const NAME = 'devices.kubevirt.io/kvm';
const SOCKET = 'smalt-kvm.sock';
const CHECK_MS = 60_000;

let owned: AsyncDisposableStack;
let directory: string;
let devices: OfferedDevice[];
let troubles: string[];
let clock: TestClock;

beforeEach(async () => {
  owned = new AsyncDisposableStack();
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'plugins-'))).path;
  devices = [device('kvm0'), device('kvm1')];
  troubles = [];
  clock = new TestClock();
});

afterEach(() => owned.disposeAsync());

describe('a device plugin', () => {
  it('offers its devices to the kubelet', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    const plugin = start();

    await expect.poll(() => kubelet.lists.get(NAME)?.at(-1)).toHaveLength(2);

    expect(kubelet.registrations).toEqual([{ version: 'v1beta1', endpoint: SOCKET, resourceName: NAME }]);
    expect(kubelet.lists.get(NAME)?.at(-1)).toEqual([
      { id: 'kvm0', health: 'Healthy' },
      { id: 'kvm1', health: 'Healthy' },
    ]);
    expect(plugin.isRegistered).toBe(true);
  });

  it('gives containers what their devices need, and nothing for devices it does not have', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    start();
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);

    const allocation = await kubelet.allocate(NAME, ['kvm1']);

    const node = allocation?.messages(3)[0];
    expect([node?.text(1), node?.text(2), node?.text(3)]).toEqual(['/dev/kvm', '/dev/kvm', 'mrw']);
    const variable = allocation?.messages(1)[0];
    expect([variable?.text(1), variable?.text(2)]).toEqual(['GIVEN', 'kvm1']);
    await expect(kubelet.allocate(NAME, ['kvm7'])).rejects.toMatchObject({
      code: 'refused',
      message: expect.stringContaining(`${NAME} has no device kvm7 (5)`),
    });
  });

  it('answers the calls that a kubelet may make, and refuses the rest', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    start();
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);
    const wish = writeMessage([...textFields(1, ['kvm0', 'kvm1']), ...textFields(2, ['kvm1']), [3, 1]]);

    const preferred = readMessage(await kubelet.call(NAME, 'GetPreferredAllocation', writeMessage([[1, wish]])));
    const options = await kubelet.call(NAME, 'GetDevicePluginOptions', Buffer.alloc(0));
    const beforeStart = await kubelet.call(NAME, 'PreStartContainer', writeMessage([[1, 'kvm0']]));

    expect(preferred.messages(1).map((container) => container.texts(1))).toEqual([['kvm1']]);
    expect([options.length, beforeStart.length]).toEqual([0, 0]);
    await expect(kubelet.call(NAME, 'Reboot', Buffer.alloc(0))).rejects.toThrow('there is no such method (12)');
    await expect(kubelet.call(NAME, 'Allocate', Buffer.from([0xff]))).rejects.toThrow('ends within a number (3)');
  });

  it('tells when a device is lost, and when it is back', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    start();
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);

    devices = [device('kvm0'), { ...device('kvm1'), isHealthy: false }];
    await expect.poll(() => clock.tick() && kubelet.healthy(NAME)).toBe(1);
    devices = [device('kvm0'), device('kvm1')];
    await expect.poll(() => clock.tick() && kubelet.healthy(NAME)).toBe(2);

    expect(kubelet.registrations).toHaveLength(1);
    expect(kubelet.lists.get(NAME)).toHaveLength(3);
  });

  it('waits for a kubelet, and offers its devices to the next one when that starts', async () => {
    const changes: boolean[] = [];
    start({ onChange: (isRegistered) => void changes.push(isRegistered) });
    const first = await FakeKubelet.start(directory);
    await expect.poll(() => first.healthy(NAME)).toBe(2);

    await first[Symbol.asyncDispose]();
    const second = owned.use(await FakeKubelet.start(directory));
    await expect.poll(() => second.healthy(NAME)).toBe(2);

    expect([changes.slice(0, 2), changes.at(-1)]).toEqual([[true, false], true]);
    expect(second.registrations).toHaveLength(1);
  });

  it('takes a kubelet for the same one when the mode of its socket was changed', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    start();
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);

    await chmod(join(directory, 'kubelet.sock'), 0o660);
    devices = [device('kvm0')];
    await expect.poll(() => clock.tick() && kubelet.healthy(NAME)).toBe(1);

    expect(kubelet.registrations).toHaveLength(1);
  });

  it('offers its devices again when its socket was removed under it', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    start();
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);

    await rm(join(directory, SOCKET));

    await expect.poll(() => kubelet.registrations.length).toBe(2);
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);
  });

  it('offers its devices again when the kubelet lets go of it', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    start();
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);

    kubelet.hangUp();

    await expect.poll(() => kubelet.registrations.length).toBe(2);
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);
  });

  it('tries again when it is refused, or nobody asks for its devices, and says why', async () => {
    const verdicts = ['the name is taken: schön', undefined];
    owned.use(await FakeKubelet.start(directory, { refuse: () => verdicts.shift(), isSilent: true }));
    start();

    await expect.poll(() => clock.tick() && troubles.length).toBeGreaterThanOrEqual(2);

    expect(troubles[0]).toBe('/v1beta1.Registration/Register was refused: the name is taken: schön (13)');
    expect(troubles[1]).toBe(`the kubelet was told of ${NAME} and does not ask for its devices`);
  });

  it('says that nobody answers behind the socket of a kubelet that was killed', async () => {
    const dead = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => void dead.listen(join(directory, 'kubelet.sock'), resolve));
    owned.defer(() => void dead.close());
    start();

    await expect.poll(() => troubles[0]).toMatch(/kubelet\.sock does not answer/u);
  });

  it('leaves no socket behind', async () => {
    const kubelet = owned.use(await FakeKubelet.start(directory));
    await using ending = new AsyncDisposableStack();
    start({}, ending);
    await expect.poll(() => kubelet.healthy(NAME)).toBe(2);

    await ending.disposeAsync();

    expect(await readdir(directory)).toEqual(['kubelet.sock']);
    await expect.poll(() => kubelet.healthy(NAME)).toBe(0);
  });
});

function start(change: Partial<DevicePluginOptions> = {}, stack: AsyncDisposableStack = owned): DevicePlugin {
  const plugin = new DevicePlugin({
    offer: {
      resourceName: NAME,
      list: () => Promise.resolve(devices),
      allocate: (ids) =>
        Promise.resolve({
          deviceNodes: [{ hostPath: '/dev/kvm', containerPath: '/dev/kvm', permissions: 'mrw' }],
          environment: { GIVEN: ids.join(',') },
        }),
    },
    socketName: SOCKET,
    directory,
    checkMs: CHECK_MS,
    clock,
    onTrouble: (error) => void troubles.push(error instanceof Error ? error.message : String(error)),
    ...change,
  });
  const stop = new AbortController();
  const running = plugin.run(stop.signal);
  stack.defer(async () => {
    stop.abort();
    await running;
  });
  return plugin;
}

/** Pauses after failures are short, and those between looks at the devices last until they are told to end. */
class TestClock implements Clock {
  readonly #waiting = new Set<() => void>();

  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    if (milliseconds !== CHECK_MS) return await delay(10, undefined, { signal });
    if (signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    this.#waiting.delete(resolve);
  }

  tick(): true {
    for (const end of this.#waiting) end();
    return true;
  }
}

function device(id: string): OfferedDevice {
  return { id, isHealthy: true };
}
