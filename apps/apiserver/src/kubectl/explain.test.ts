import { afterAll, beforeAll, expect, it } from 'vitest';

import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it.concurrent('explains a field of a custom kind', async () => {
  const text = await bed.output(['explain', 'machine.spec.cpus']);

  expect(text).toMatch(/KIND: +Machine\nVERSION: +(?:bench\.example\.dev\/)?v1/);
  expect(text).toMatch(/FIELD: +cpus <integer>/);
  expect(text).toContain('How many processors it has.');
});

it.concurrent('explains a list of a custom kind, with its enum', async () => {
  const text = await bed.output(['explain', 'machine.spec.disks']);

  expect(text).toMatch(/(?:FIELD|RESOURCE): disks <\[\]Object>/);
  // Older ones do not tell which values there are.
  expect(text).toMatch(bed.clientMinor < 30 ? /bus\t<string>/ : /bus\t<string>\n +enum: virtio, scsi/);
  expect(text).toMatch(/name\t<string> -required-/);
});

it.concurrent('explains all of a built-in kind', async () => {
  const text = await bed.output(['explain', 'deployment', '--recursive']);

  expect(text).toMatch(/KIND: +Deployment\nVERSION: +(?:apps\/)?v1/);
  expect(text).toMatch(/ {2}spec\t<(?:DeploymentSpec|Object)>/);
  expect(text).toMatch(/ {10}image\t<string>/);
});

it.concurrent('explains from the older document too', async ({ skip }) => {
  skip(bed.clientMinor < 27, 'this kubectl knows the older document only');

  const text = await bed.output(['explain', 'machine.spec', '--output=plaintext-openapiv2']);

  expect(text).toMatch(/KIND: +Machine\nVERSION: +bench\.example\.dev\/v1/);
  expect(text).toMatch(/cpus\t<integer> -required-/);
});

it.concurrent('explains a field of a built-in kind in the version that is asked for', async () => {
  const text = await bed.output('explain deployment.spec.replicas --api-version=apps/v1');

  expect(text).toMatch(/FIELD: +replicas <integer>/);
});

it.concurrent('says that a field does not exist', async () => {
  const result = await bed.run(['explain', 'machine.spec.wings']);

  expect(result).toMatchObject({ code: 1, stderr: expect.stringContaining('field "wings" does not exist') });
});
