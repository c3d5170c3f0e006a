import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { machine } from '../fixtures/machine-definition.ts';
import { startKubectlBed, type KubectlBed } from './kubectl-bed.ts';

let bed: KubectlBed;

beforeAll(async () => {
  bed = await startKubectlBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

beforeEach(async () => {
  const path = '/apis/bench.example.dev/v1/namespaces/default/machines';
  await bed.api.call('DELETE', `${path}/m`);
  await bed.api.call('POST', path, { body: machine('m', 1) });
});

describe('patch', () => {
  it.each([
    { type: 'merge', patch: '{"spec":{"cpus":2}}' },
    {
      type: 'json',
      patch: '[{"op":"test","path":"/spec/cpus","value":1},{"op":"replace","path":"/spec/cpus","value":2}]',
    },
  ])('changes a custom object by a $type patch', async ({ type, patch }) => {
    await bed.output(['patch', 'machine', 'm', `--type=${type}`, '-p', patch]);

    expect(await field('{.spec.cpus}')).toBe('2');
  });

  it.each([
    { type: 'strategic', patch: '{"data":{"k":"v"}}', data: '{"a":"b","k":"v"}' },
    { type: 'merge', patch: '{"data":{"a":null,"k":"v"}}', data: '{"k":"v"}' },
    { type: 'json', patch: '[{"op":"add","path":"/data/k","value":"v"}]', data: '{"a":"b","k":"v"}' },
  ])('changes a built-in object by a $type patch', async ({ type, patch, data }) => {
    await bed.output(`create configmap by-${type} --from-literal=a=b`);

    await bed.output(['patch', 'configmap', `by-${type}`, `--type=${type}`, '-p', patch]);

    expect(await bed.output(`get configmap by-${type} -o jsonpath={.data}`)).toBe(data);
  });

  it('changes the scale of a built-in object', async ({ skip }) => {
    skip(bed.clientMinor < 24, 'this kubectl has no flag --subresource');
    await bed.output('create deployment scaled --image=x:1');

    await bed.output('patch deployment scaled --subresource=scale --type=merge -p {"spec":{"replicas":2}}');

    expect(await bed.output('get deployment scaled -o jsonpath={.spec.replicas}')).toBe('2');
  });

  it('merges lists of a built-in object by a strategic patch', async () => {
    await bed.output(['create', 'deployment', 'd', '--image=x:1']);
    const patch = '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"y:1"}]}}}}';

    await bed.output(['patch', 'deployment', 'd', '--type=strategic', '-p', patch]);

    const images = await bed.output([
      'get',
      'deployment',
      'd',
      '-o',
      'jsonpath={.spec.template.spec.containers[*].image}',
    ]);
    expect(images.split(' ').toSorted()).toEqual(['x:1', 'y:1']);
  });

  it('refuses a strategic patch of a custom object', async () => {
    const result = await bed.run(['patch', 'machine', 'm', '--type=strategic', '-p', '{"spec":{"cpus":2}}']);

    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/strategic merge patch is not supported|unknown format/);
  });

  it('changes the status, and nothing else, by way of the status', async ({ skip }) => {
    skip(bed.clientMinor < 24, 'this kubectl has no flag --subresource');
    await bed.output([
      'patch',
      'machine',
      'm',
      '--subresource=status',
      '--type=merge',
      '-p',
      '{"spec":{"cpus":9},"status":{"phase":"Up"}}',
    ]);

    expect([await field('{.status.phase}'), await field('{.spec.cpus}')]).toEqual(['Up', '1']);
  });

  it('says which test of a patch failed', async () => {
    const result = await bed.run([
      'patch',
      'machine',
      'm',
      '--type=json',
      '-p',
      '[{"op":"test","path":"/spec/cpus","value":7}]',
    ]);

    // Older ones leave out what the server said.
    expect(result.stderr).toMatch(
      /the server rejected our request due to an error in our request|The request is invalid/,
    );
  });
});

describe('label, annotate and edit', () => {
  it('adds and removes labels', async () => {
    expect(await bed.output('label machine m tier=gold')).toBe('machine.bench.example.dev/m labeled\n');
    await bed.output('label machine m app-');

    expect(await field('{.metadata.labels}')).toBe('{"tier":"gold"}');
  });

  it('keeps a label that is there unless it is told otherwise', async () => {
    const complaint = await bed.complaint('label machine m app=other');
    await bed.output('label machine m app=other --overwrite');

    expect(complaint).toContain("'app' already has a value (bench), and --overwrite is false");
    expect(await bed.output('label machine m --list')).toBe('app=other\n');
  });

  it('adds annotations', async () => {
    await bed.output(['annotate', 'machine', 'm', 'note=hello']);

    expect(await field('{.metadata.annotations.note}')).toBe('hello');
  });

  it('edits an object in an editor', async () => {
    const environment = { EDITOR: "sed -i 's/cpus: 1/cpus: 6/'" };

    expect(await bed.output(['edit', 'machine', 'm'], { environment })).toBe('machine.bench.example.dev/m edited\n');
    expect(await field('{.spec.cpus}')).toBe('6');
  });

  it('edits a built-in object in an editor', async () => {
    await bed.output('create configmap edited --from-literal=a=b');

    await bed.output('edit configmap edited', { environment: { EDITOR: "sed -i 's/a: b/a: c/'" } });

    expect(await bed.output('get configmap edited -o jsonpath={.data.a}')).toBe('c');
  });

  it('sets the image of a built-in object', async () => {
    await bed.output(['create', 'deployment', 'e', '--image=x:1']);

    await bed.output(['set', 'image', 'deployment/e', 'x=x:2']);

    expect(
      await bed.output(['get', 'deployment', 'e', '-o', 'jsonpath={.spec.template.spec.containers[0].image}']),
    ).toBe('x:2');
  });
});

describe('scale', () => {
  it('scales only from the number that is expected', async () => {
    const complaint = await bed.complaint('scale machine m --replicas=4 --current-replicas=9');

    expect(complaint).toContain('Expected replicas to be 9, was 1');
  });

  it('scales a custom object and a built-in one', async () => {
    await bed.output(['create', 'deployment', 's', '--image=x:1']);

    const lines = [
      await bed.output(['scale', 'machine', 'm', '--replicas=3']),
      await bed.output(['scale', 'deployment', 's', '--replicas=4', '--current-replicas=1']),
    ];

    expect(lines).toEqual(['machine.bench.example.dev/m scaled\n', 'deployment.apps/s scaled\n']);
    expect(await field('{.spec.replicas}')).toBe('3');
  });
});

function field(path: string): Promise<string> {
  return bed.output(['get', 'machine', 'm', '-o', `jsonpath=${path}`]);
}
