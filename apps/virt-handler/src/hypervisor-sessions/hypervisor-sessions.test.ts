import { AlteringProxy, refusal, startTestDaemon } from '@smalt/bed-libvirt';
import { procedures } from '@smalt/libvirt';
import { createLogger } from '@smalt/service-runtime';
import { describe, expect, it, vi } from 'vitest';

import { HypervisorSessions } from './hypervisor-sessions.ts';
import { localDrivers } from './local-drivers.ts';
import { readHostCapabilities, readHostUuid } from './read-host-capabilities.ts';

const logger = createLogger({ name: 'test', destination: { write: () => undefined } });

const MODEL =
  "<capabilities><host><secmodel><model>dac</model><baselabel type='qemu'>LABEL</baselabel></secmodel></host></capabilities>";

describe('HypervisorSessions', () => {
  it('knows which drivers work, notices when one goes, and when it is back', async () => {
    await using daemon = await startTestDaemon();
    const drivers = {
      test: { uri: daemon.uri },
      qemu: { uri: daemon.uri },
      lxc: { uri: 'lxc+tcp://127.0.0.1:1/system' },
    };
    await using sessions = new HypervisorSessions({ drivers, logger });
    const seen: string[] = [];
    sessions.onChange(() => seen.push(sessions.availableDrivers().join()));
    const stopping = new AbortController();
    const running = sessions.run(stopping.signal);

    await vi.waitFor(() => expect(sessions.availableDrivers()).toEqual(['test']), 10_000);
    daemon.kill('SIGKILL');
    await vi.waitFor(() => expect(sessions.availableDrivers()).toEqual([]), 10_000);
    await daemon.restart();
    await vi.waitFor(() => expect(sessions.availableDrivers()).toEqual(['test']), 10_000);
    stopping.abort();
    await running;

    expect(seen).toEqual(['test', '', 'test']);
    expect(sessions.sessions).toHaveLength(2);
    expect(sessions.find('test')?.session).toBe(sessions.find('qemu')?.session);
    expect(sessions.find('cloud-hypervisor')).toBeUndefined();
  }, 40_000);

  it.each([
    ['refuses to say', refusal],
    ['says in a text that is none', (reply: Buffer) => Buffer.from(reply).fill('<', 40)],
  ])(
    'asks a daemon again that %s what it can run, on the same connection',
    async (_, alter) => {
      let refusals = 0;
      await using daemon = await startTestDaemon();
      await using proxy = await AlteringProxy.start(daemon.port, (message) => {
        const isAnswer = message.readUInt32BE(12) === procedures.connectGetCapabilities.number;
        return isAnswer && refusals++ < 2 ? alter(message) : message;
      });
      const drivers = { test: { uri: `test+tcp://127.0.0.1:${proxy.port}/default` } };
      await using sessions = new HypervisorSessions({ drivers, logger });
      const stopping = new AbortController();
      const running = sessions.run(stopping.signal);
      await sessions.sessions[0]?.connected({ timeoutMs: 10_000 });
      const { state } = sessions.sessions[0] ?? {};

      await vi.waitFor(() => expect(sessions.availableDrivers()).toEqual(['test']), 15_000);
      stopping.abort();
      await running;

      expect(refusals).toBe(3);
      expect(sessions.sessions[0]?.state).toBe(state);
    },
    30_000,
  );

  it.each([
    [{ qemu: { uri: 'nonsense' } }, 'drivers.qemu.uri: '],
    [{ quemu: {} }, 'there is no hypervisor "quemu"'],
  ])('refuses %j', (drivers, message) => {
    expect(() => new HypervisorSessions({ drivers, logger })).toThrow(message);
  });
});

describe('localDrivers', () => {
  it('reaches all but containers and the mock by the socket of the node, unless they are named', () => {
    const libvirt = { socketPath: '/var/a b/sock', runDirectory: '/var/a b/run' };

    expect(Object.keys(localDrivers(libvirt))).toEqual(['qemu-kvm', 'qemu', 'cloud-hypervisor']);
    expect(localDrivers(libvirt, ['lxc'])['lxc']).toEqual({
      uri: 'lxc+unix:///system?socket=%2Fvar%2Fa%20b%2Fsock',
      pidDirectory: '/var/a b/run/lxc',
    });
  });

  it('is the libvirt of the operating system if nothing else is said', () => {
    expect(localDrivers({}, ['qemu', 'test'])).toEqual({
      qemu: { uri: 'qemu:///system', pidDirectory: '/run/libvirt/qemu' },
      test: { uri: 'test:///default', pidDirectory: undefined },
    });
  });
});

describe('readHostCapabilities', () => {
  it('reads what domains depend on', () => {
    const text = `<capabilities><host><uuid>8e1f</uuid><cpu><model>Skylake</model></cpu>
      <topology><cells num='1'><cell id='0'><distances><sibling id='0' value='10'/></distances>
      <cpus num='2'><cpu id='0' siblings='0,2-3'/><cpu id='1'/></cpus></cell></cells></topology>
      <secmodel><model>dac</model><baselabel type='kvm'>+64055:+108</baselabel></secmodel></host>
      <guest><arch name='x86_64'><domain type='qemu'/><domain type='kvm'/></arch></guest></capabilities>`;

    expect(readHostCapabilities(text)).toEqual({
      hostUuid: '8e1f',
      domainTypes: ['qemu', 'kvm'],
      processorModel: 'Skylake',
      guestAccount: { userId: 64_055, groupId: 108 },
      cells: [
        {
          id: 0,
          cpus: [
            { id: 0, siblings: [0, 2, 3] },
            { id: 1, siblings: [1] },
          ],
          distances: [{ cell: 0, distance: 10 }],
        },
      ],
    });
  });

  it('says nothing of an account where guests run as root', () => {
    const accounts = ['+0:+0', 'none'].map((label) => readHostCapabilities(MODEL.replace('LABEL', label)).guestAccount);

    expect(accounts).toEqual([undefined, undefined]);
  });

  it('refuses a text that is none', () => {
    expect(() => readHostCapabilities('<capabilities')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});

describe('readHostUuid', () => {
  it('reads no further than the host', () => {
    expect(readHostUuid('<capabilities><host><uuid>8e1f</uuid></host><guest><uuid>other</guest>')).toBe('8e1f');
  });

  it('has none where the host has none, whatever else has one', () => {
    const texts = [
      '<capabilities><host/></capabilities>',
      '<capabilities><host></host><uuid>8e1f</uuid></capabilities>',
    ];

    expect(texts.map(readHostUuid)).toEqual([undefined, undefined]);
  });

  it('refuses a text that is none', () => {
    expect(() => readHostUuid('<capabilities><host>')).toThrow(expect.objectContaining({ code: 'unavailable' }));
  });
});
