import { afterAll, beforeAll, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('explains a field of a custom kind', async () => {
  const text = await bed.output(['explain', 'machine.spec.cpus']);

  expect(text).toMatch(/GROUP: +bench\.example\.dev\nKIND: +Machine\nVERSION: +v1/);
  expect(text).toContain('FIELD: cpus <integer>');
  expect(text).toContain('How many processors it has.');
});

it('explains a list of a custom kind, with its enum', async () => {
  const text = await bed.output(['explain', 'machine.spec.disks']);

  expect(text).toContain('FIELD: disks <[]Object>');
  expect(text).toMatch(/bus\t<string>\n +enum: virtio, scsi/);
  expect(text).toMatch(/name\t<string> -required-/);
});

it('explains all of a built-in kind', async () => {
  const text = await bed.output(['explain', 'deployment', '--recursive']);

  expect(text).toMatch(/GROUP: +apps\nKIND: +Deployment/);
  expect(text).toMatch(/ {2}spec\t<DeploymentSpec>/);
  expect(text).toMatch(/ {10}image\t<string>/);
});

it('explains from the older document too', async () => {
  const text = await bed.output(['explain', 'machine.spec', '--output=plaintext-openapiv2']);

  expect(text).toMatch(/KIND: +Machine\nVERSION: +bench\.example\.dev\/v1/);
  expect(text).toMatch(/cpus\t<integer> -required-/);
});

it('says that a field does not exist', async () => {
  const result = await bed.run(['explain', 'machine.spec.wings']);

  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('field "wings" does not exist') });
});
