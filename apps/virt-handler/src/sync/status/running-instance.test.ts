import { findHypervisor } from '@smalt/hypervisors';
import { DomainPausedReason, DomainState } from '@smalt/libvirt';
import { describe, expect, it } from 'vitest';

import { aGuest } from '../fixtures/a-guest.ts';
import { anInstance, domainText } from '../fixtures/an-instance.ts';
import { endedInstance } from './ended-instance.ts';
import { planInstancePatch } from './plan-instance-patch.ts';
import { runningInstance } from './running-instance-status.ts';
import { troubledInstance } from './troubled-instance.ts';
import { failed, succeeded } from '../decide/verdict.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const AGENT = `<channel type='unix'><target type='virtio' name='org.qemu.guest_agent.0' state='connected'/></channel>`;

describe('an instance whose guest runs', () => {
  it('is told all of it at once, and keeps what others wrote', async () => {
    const before = anInstance({
      phase: 'Scheduled',
      virtualMachineRevisionName: 'revision-1',
      activePods: { pod: 'node' },
      phaseTransitionTimestamps: [{ phase: 'Scheduled', phaseTransitionTimestamp: '2025-12-31T23:59:59Z' }],
      conditions: [{ type: 'Synchronized', status: 'False', reason: 'x', message: 'y' }],
    });

    const { status } = runningInstance(before, await aGuest({ text: domainText(AGENT) }), NOW);

    expect(status).toMatchObject({
      phase: 'Running',
      virtualMachineRevisionName: 'revision-1',
      activePods: { pod: 'node' },
      machine: { type: 'pc-q35-7.2' },
      memory: { guestAtBoot: '64Mi', guestRequested: '64Mi', guestCurrent: '64Mi' },
      currentCPUTopology: { cores: 1, sockets: 1, threads: 1 },
      migrationMethod: 'LiveMigration',
    });
    expect(status?.phaseTransitionTimestamps).toHaveLength(2);
    expect(status?.conditions?.map(({ type, status: value }) => `${type}=${value}`)).toEqual([
      'Ready=True',
      'LiveMigratable=True',
      'StorageLiveMigratable=True',
      'AgentConnected=True',
    ]);
  });

  it('needs no second write', async () => {
    const guest = await aGuest({ text: domainText(AGENT) });
    const first = runningInstance(anInstance({ phase: 'Scheduled' }), guest, NOW);

    const second = runningInstance(first, guest, NOW + 60_000);

    expect(planInstancePatch(first, second)).toEqual([]);
  });

  it.each([
    [DomainPausedReason.user, 'PausedByUser'],
    [DomainPausedReason.ioerror, 'PausedIOError'],
    [DomainPausedReason.postcopyFailed, 'PausedByMigrationMonitor'],
    [DomainPausedReason.migration, undefined],
    [DomainPausedReason.startingUp, undefined],
  ])('is paused for the reason %i: %s', async (reason, word) => {
    const guest = await aGuest({ state: { state: DomainState.paused, reason } });

    const { status } = runningInstance(anInstance({ phase: 'Running' }), guest, NOW);

    expect(status?.conditions?.find(({ type }) => type === 'Paused')?.reason).toBe(word);
    expect(status?.phase).toBe('Running');
  });

  it('leaves it to the controller whether it is ready once it runs', async () => {
    const { status } = runningInstance(anInstance({ phase: 'Running' }), await aGuest(), NOW);

    expect(status?.conditions?.map(({ type }) => type)).not.toContain('Ready');
  });

  it('says why it cannot be moved', async () => {
    const volumes = [{ name: 'root', persistentVolumeClaim: { claimName: 'a' } }];
    const claim = { accessModes: ['ReadWriteOnce'] };
    const before = anInstance(
      { phase: 'Running', volumeStatus: [{ name: 'root', target: '', persistentVolumeClaimInfo: claim }] },
      { volumes },
    );

    const byDisk = runningInstance(before, await aGuest(), NOW);
    const byDriver = runningInstance(anInstance(), await aGuest({ hypervisor: findHypervisor('lxc') }), NOW);

    expect(byDisk.status?.conditions).toMatchObject([
      { type: 'LiveMigratable', status: 'False', reason: 'DisksNotLiveMigratable' },
      { type: 'StorageLiveMigratable', status: 'True' },
    ]);
    expect(byDisk.status?.migrationMethod).toBeUndefined();
    expect(byDriver.status?.conditions).toContainEqual(
      expect.objectContaining({
        type: 'LiveMigratable',
        message: 'the hypervisor lxc cannot move a guest while it runs',
      }),
    );
  });
});

describe('an instance whose guest has ended', () => {
  it.each([
    [succeeded('GuestShutDown', 'It was shut down.'), undefined],
    [failed('GuestCrashed', 'It crashed.'), 'GuestCrashed'],
  ])('says how: %j', (verdict, reason) => {
    const conditions = [
      { type: 'Ready', status: 'True', lastTransitionTime: '2025-01-01T00:00:00Z' },
      { type: 'Paused', status: 'True' },
      { type: 'AgentConnected', status: 'True' },
      { type: 'LiveMigratable', status: 'True' },
    ];

    const { status } = endedInstance(anInstance({ phase: 'Running', conditions }), verdict, NOW);

    expect(status?.phase).toBe(verdict.phase);
    expect(status?.reason).toBe(reason);
    expect(status?.conditions).toMatchObject([
      { type: 'Ready', status: 'False', reason: verdict.reason, message: verdict.message },
      { type: 'LiveMigratable', status: 'True' },
    ]);
  });
});

it('trouble is told in a condition whose time changes with the trouble alone', () => {
  const first = troubledInstance(anInstance({ phase: 'Scheduled' }), 'the disk is full', NOW);

  const second = troubledInstance(first, 'the disk is full', NOW + 60_000);

  expect(first.status?.conditions).toMatchObject([
    { type: 'Synchronized', status: 'False', message: 'the disk is full' },
  ]);
  expect(planInstancePatch(first, second)).toEqual([]);
});
