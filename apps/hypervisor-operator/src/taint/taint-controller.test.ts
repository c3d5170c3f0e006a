import type { Hypervisor } from '@smalt/fleet-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startOperatorBed, type OperatorBed } from '../fixtures/operator-bed.ts';
import { plainSpec, said } from '../fixtures/test-hosts.ts';
import { createTaintController } from './taint-controller.ts';
import { defaultTaintSettings } from './taint-settings.ts';

describe('the taint controller', { timeout: 60_000 }, () => {
  let bed: OperatorBed;

  beforeAll(async () => {
    bed = await startOperatorBed({
      cloud: 'none',
      controllers: (context) => [createTaintController(context, defaultTaintSettings)],
    });
  });

  afterAll(() => bed[Symbol.asyncDispose]());

  it('shows a hypervisor that was changed with kubectl, by the generation it has then', async () => {
    await bed.hypervisors.create({
      metadata: { name: 'n1' },
      spec: plainSpec(),
    });
    const clean = await bed.until('n1', (one) => tainted(one) !== undefined);
    await bed.kubectl('patch', 'hv', 'n1', '--type=merge', '-p', '{"spec":{"skipTests":true}}');
    const changed = await bed.until('n1', (one) => tainted(one)?.status === 'True');
    const shown = await bed.kubectl('get', 'hv', 'n1', '-o', 'wide');

    expect(tainted(clean)).toMatchObject({
      status: 'False',
      reason: 'NoKubectl',
      message: '🟢',
      observedGeneration: 1,
    });
    expect(tainted(changed)).toMatchObject({ reason: 'Kubectl', message: '⚠️', observedGeneration: 2 });
    expect(shown).toContain('⚠️');
  });

  it('writes nothing for hypervisors that an earlier run has judged', async () => {
    const { metadata } = await bed.until('n1', (one) => tainted(one)?.observedGeneration === 2);

    await bed.restartOperator();
    await expect.poll(() => bed.metricSum('controller_runtime_reconcile_total')).toBeGreaterThan(0);

    expect((await bed.hypervisors.get('n1')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });
});

function tainted(hypervisor: Hypervisor): ReturnType<typeof said> {
  return said(hypervisor, 'Tainted');
}
