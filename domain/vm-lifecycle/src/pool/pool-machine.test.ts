import { describe, expect, it } from 'vitest';

import { guest } from '../fixtures/objects.ts';
import { pool } from '../fixtures/pools.ts';
import { poolMachine } from './pool-machine.ts';

describe('the names in a machine of a pool', () => {
  const volumes = [
    { name: 'a', persistentVolumeClaim: { claimName: 'data' } },
    { name: 'b', dataVolume: { name: 'data' } },
    { name: 'c', persistentVolumeClaim: { claimName: 'shared' } },
    { name: 'd', configMap: { name: 'settings' } },
    { name: 'e', secret: { secretName: 'key' } },
    { name: 'f', cloudInitNoCloud: { secretRef: { name: 'user' }, networkDataSecretRef: { name: 'net' } } },
    { name: 'g', cloudInitConfigDrive: { secretRef: { name: 'user' } } },
  ];

  it.each([
    [{}, ['data-7', 'data-7', 'shared', 'settings', 'key', 'user', 'net', 'user']],
    [
      { appendIndexToConfigMapRefs: true, appendIndexToSecretRefs: true },
      ['data-7', 'data-7', 'shared', 'settings-7', 'key-7', 'user-7', 'net-7', 'user-7'],
    ],
  ])('get its number with %j', (nameGeneration, names) => {
    const wanted = pool({
      nameGeneration,
      virtualMachineTemplate: {
        spec: {
          dataVolumeTemplates: [{ metadata: { name: 'data' }, spec: {} }],
          template: { spec: guest({ volumes }) },
        },
      },
    });

    const { spec } = poolMachine(wanted, 7);

    const [a, b, c, d, e, f, g] = spec.template.spec?.volumes ?? [];
    expect(spec.dataVolumeTemplates?.[0]?.metadata?.name).toBe('data-7');
    expect([
      a?.persistentVolumeClaim?.claimName,
      b?.dataVolume?.name,
      c?.persistentVolumeClaim?.claimName,
      d?.configMap?.name,
      e?.secret?.secretName,
      f?.cloudInitNoCloud?.secretRef?.name,
      f?.cloudInitNoCloud?.networkDataSecretRef?.name,
      g?.cloudInitConfigDrive?.secretRef?.name,
    ]).toEqual(names);
  });
});
