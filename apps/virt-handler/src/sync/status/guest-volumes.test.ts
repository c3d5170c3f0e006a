import { describe, expect, it } from 'vitest';

import { aGuest } from '../fixtures/a-guest.ts';
import { anInstance, domainText } from '../fixtures/an-instance.ts';
import { guestVolumes } from './guest-volumes.ts';

const DISKS = `
  <disk type='file' device='disk'><source file='/a'/><target dev='vda' bus='virtio'/><alias name='ua-disk-root'/></disk>
  <disk type='file' device='disk'><source file='/b'/><target dev='sda' bus='scsi'/><alias name='ua-disk-extra'/></disk>`;
const root = { name: 'root', containerDisk: { image: 'demo' } };
const extra = { name: 'extra', persistentVolumeClaim: { claimName: 'c', hotpluggable: true } };

describe('the volumes of a guest', () => {
  it('are where the guest sees them; those that are plugged in are ready', async () => {
    const volumes = guestVolumes(anInstance({}, { volumes: [root, extra] }), await aGuest({ text: domainText(DISKS) }));

    expect(volumes).toEqual([
      expect.objectContaining({ name: 'extra', target: 'sda', phase: 'Ready', hotplugVolume: {} }),
      { name: 'root', target: 'vda' },
    ]);
  });

  it('keep what others know of them', async () => {
    const info = { accessModes: ['ReadWriteMany'] };
    const status = { volumeStatus: [{ name: 'root', target: '', persistentVolumeClaimInfo: info }] };

    const volumes = guestVolumes(anInstance(status, { volumes: [root] }), await aGuest({ text: domainText(DISKS) }));

    expect(volumes).toEqual([{ name: 'root', target: 'vda', persistentVolumeClaimInfo: info }]);
  });

  it('say what keeps one from being plugged in', async () => {
    const volumeProblems = new Map([['extra', 'the claim c is not bound']]);

    const volumes = guestVolumes(anInstance({}, { volumes: [extra] }), await aGuest({ volumeProblems }));

    expect(volumes).toMatchObject([
      { name: 'extra', target: '', phase: 'Pending', message: 'the claim c is not bound' },
    ]);
  });

  it('are those of the claim before until the guest has let go of it, and then of no pod', async () => {
    const told = { persistentVolumeClaimInfo: { claimName: 'before' }, hotplugVolume: { attachPodUID: 'p' } };
    const instance = anInstance({ volumeStatus: [{ name: 'extra', target: 'sda', ...told }] }, { volumes: [extra] });

    const leaving = guestVolumes(instance, await aGuest({ text: domainText(DISKS) }));
    const gone = guestVolumes(instance, await aGuest());

    expect(leaving).toMatchObject([{ name: 'extra', target: 'sda', phase: 'Detaching', ...told }]);
    expect(gone).toMatchObject([{ name: 'extra', target: '', phase: 'Pending' }]);
    expect(gone[0]?.hotplugVolume).toEqual({});
  });

  it('show one that the guest has not let go of yet', async () => {
    const status = { volumeStatus: [{ name: 'extra', target: 'sda', hotplugVolume: {}, phase: 'Ready' }] };

    const leaving = guestVolumes(anInstance(status), await aGuest({ text: domainText(DISKS) }));
    const gone = guestVolumes(anInstance(status), await aGuest());

    expect(leaving).toMatchObject([{ name: 'extra', target: 'sda', phase: 'Detaching' }]);
    expect(gone).toEqual([]);
  });
});
