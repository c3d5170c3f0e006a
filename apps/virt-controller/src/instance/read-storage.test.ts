import type { VirtualMachineInstance } from '@smalt/vm-api';
import { expect, it } from 'vitest';

import { instanceDraft } from '../fixtures/vm-objects.ts';
import type { VolumeClaim } from '../kinds/volume-claim.ts';
import { blockVolumes, readStorage } from './read-storage.ts';

it('finds the claims of all kinds of volumes that have one, and those that are missing', () => {
  const vmi = withVolumes([
    { name: 'a', persistentVolumeClaim: { claimName: 'there' } },
    { name: 'b', ephemeral: { persistentVolumeClaim: { claimName: 'away' } } },
    { name: 'c', dataVolume: { name: 'late' } },
    { name: 'd', emptyDisk: { capacity: '1Gi' } },
    { name: 'e', persistentVolumeClaim: { claimName: 'plugged', hotpluggable: true } },
  ]);

  const storage = readStorage(vmi, (key) => (key === 'd/there' ? claim('Block') : undefined));

  expect(storage.missingClaims).toEqual(['away', 'late']);
  expect(Object.fromEntries(storage.claims)).toEqual({
    a: { claimName: 'there', accessModes: ['ReadWriteMany'], capacity: { storage: '1Gi' }, volumeMode: 'Block' },
  });
  expect([...blockVolumes(storage)]).toEqual(['a']);
});

it('takes a claim that says nothing for a file system', () => {
  const vmi = withVolumes([{ name: 'a', persistentVolumeClaim: { claimName: 'there' } }]);

  const storage = readStorage(vmi, () => claim());

  expect(storage.claims.get('a')?.volumeMode).toBe('Filesystem');
  expect(blockVolumes(storage).size).toBe(0);
});

function withVolumes(volumes: NonNullable<VirtualMachineInstance['spec']['volumes']>): VirtualMachineInstance {
  return instanceDraft('d', 'vm', { volumes });
}

function claim(volumeMode?: string): VolumeClaim {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'there', namespace: 'd' },
    spec: { accessModes: ['ReadWriteOnce'], ...(volumeMode === undefined ? {} : { volumeMode }) },
    status: { phase: 'Bound', accessModes: ['ReadWriteMany'], capacity: { storage: '1Gi' } },
  };
}
