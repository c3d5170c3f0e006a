import { virtualMachineInstanceKind, virtualMachineInstanceMigrationKind, virtualMachineKind } from '@smalt/vm-api';
import type { JsonObject } from '@smalt/json';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { ask, type Answered } from '../fixtures/ask.ts';
import { machineDraft } from '../fixtures/machines.ts';
import { NODE, startPluggedBed, type PluggedBed } from '../fixtures/plugged-bed.ts';

const ROOT = '/apis/subresources.kubevirt.io/v1/namespaces/default';
let bed: PluggedBed;

beforeAll(async () => {
  bed = await startPluggedBed({ featureGates: ['HotplugVolumes'] });
});

afterAll(() => bed[Symbol.asyncDispose]());

beforeEach(() => {
  bed.handler.seen.length = 0;
  bed.handler.behaviour.answer = () => ({ code: 200 });
});

describe('power', () => {
  it('starts and stops by the run strategy', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('halted'));

    const started = await put('virtualmachines/halted/start');
    const running = await bed.admin.resource(virtualMachineKind).get('halted', { namespace: 'default' });
    const again = await put('virtualmachines/halted/start');
    const stopped = await put('virtualmachines/halted/stop', {});
    const halted = await bed.admin.resource(virtualMachineKind).get('halted', { namespace: 'default' });

    expect([started.code, started.text, running.spec.runStrategy]).toEqual([202, '', 'Always']);
    expect([again.code, again.object['message']]).toEqual([
      409,
      'Operation cannot be fulfilled on virtualmachine.kubevirt.io "halted": Always does not support manual start requests',
    ]);
    expect([stopped.code, halted.spec.runStrategy]).toEqual([202, 'Halted']);
  });

  it('gives orders to the controller where the strategy leaves that to people', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('manual', { runStrategy: 'Manual' }));

    const started = await put('virtualmachines/manual/start', { paused: true });
    const ordered = await bed.admin.resource(virtualMachineKind).get('manual', { namespace: 'default' });
    const restarted = await put('virtualmachines/manual/restart');

    expect(started.code).toBe(202);
    expect(ordered.status?.stateChangeRequests).toEqual([{ action: 'Start', data: { paused: 'true' } }]);
    expect(restarted.object['message']).toContain('VM is not running');
  });

  it('changes nothing in a dry run', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('dry'));

    const { code } = await put('virtualmachines/dry/start', { dryRun: ['All'] });

    const machine = await bed.admin.resource(virtualMachineKind).get('dry', { namespace: 'default' });
    expect([code, machine.spec.runStrategy]).toEqual([202, 'Halted']);
  });

  it('shortens the grace period for a stop that asks for it', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('quick', { runStrategy: 'Manual' }));
    await bed.instance('quick');

    const { code } = await put('virtualmachines/quick/stop', { gracePeriod: 3 });

    const instance = await bed.admin.resource(virtualMachineInstanceKind).get('quick', { namespace: 'default' });
    const machine = await bed.admin.resource(virtualMachineKind).get('quick', { namespace: 'default' });
    expect([code, instance.spec.terminationGracePeriodSeconds]).toEqual([202, 3]);
    expect(machine.status?.stateChangeRequests).toEqual([{ action: 'Stop', uid: instance.metadata.uid }]);
  });

  it('makes a migration of a machine that runs', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('mover', { runStrategy: 'Always' }));
    await bed.instance('mover');

    const first = await put('virtualmachines/mover/migrate', { addedNodeSelector: { zone: 'b' } });
    const second = await put('virtualmachines/mover/migrate');

    const { items } = await bed.admin.resource(virtualMachineInstanceMigrationKind).list({ namespace: 'default' });
    expect([first.code, second.code]).toEqual([202, 422]);
    expect(items.map(({ spec }) => spec)).toEqual([{ vmiName: 'mover', addedNodeSelector: { zone: 'b' } }]);
    expect(second.object['message']).toContain('in-flight migration detected');
  });
});

describe('volumes', () => {
  it('are plugged into a machine for good, and into an instance while it runs', async () => {
    await bed.admin.resource(virtualMachineKind).create(machineDraft('plugged'));
    await bed.instance('plugged');
    const volume = {
      name: 'extra',
      disk: { name: 'extra', disk: { bus: 'scsi' } },
      volumeSource: { persistentVolumeClaim: { claimName: 'claim' } },
    };

    const dry = await put('virtualmachines/plugged/addvolume', { ...volume, dryRun: ['All'] });
    const before = await bed.admin.resource(virtualMachineKind).get('plugged', { namespace: 'default' });
    const machine = await put('virtualmachines/plugged/addvolume', volume);
    const instance = await put('virtualmachineinstances/plugged/addvolume', volume);
    const twice = await put('virtualmachines/plugged/addvolume', volume);
    const wrong = await put('virtualmachines/plugged/addvolume', { name: 'extra' });

    expect([dry, machine, instance, twice, wrong].map(({ code }) => code)).toEqual([202, 202, 202, 409, 400]);
    expect(before.spec.template.spec?.volumes).toBeUndefined();
    const stored = await bed.admin.resource(virtualMachineKind).get('plugged', { namespace: 'default' });
    expect(stored.spec.template.spec?.volumes).toEqual([
      { name: 'extra', persistentVolumeClaim: { claimName: 'claim', hotpluggable: true } },
    ]);
    const running = await bed.admin.resource(virtualMachineInstanceKind).get('plugged', { namespace: 'default' });
    expect(running.spec.domain.devices.disks).toEqual([expect.objectContaining({ name: 'extra' })]);
  });

  it('that a machine does not have are not taken out of it', async () => {
    const volumes = [{ name: 'extra', emptyDisk: { capacity: '1Mi' } }];
    const template = { spec: { ...machineDraft('x').spec.template.spec, domain: { devices: {} }, volumes } };
    await bed.admin.resource(virtualMachineKind).create(machineDraft('unplugged', { template }));

    const { code, object } = await put('virtualmachines/unplugged/removevolume', { name: 'nothing' });

    expect([code, object['message']]).toEqual([409, expect.stringContaining('nothing')]);
  });
});

describe('requests that the node answers', () => {
  it('are passed on with our own credentials', async () => {
    await bed.instance('asked');

    const { code } = await put('virtualmachineinstances/asked/pause', {});

    expect(code).toBe(200);
    expect(bed.handler.seen).toMatchObject([
      { method: 'PUT', url: '/v1/namespaces/default/virtualmachineinstances/asked/pause' },
    ]);
    expect(bed.handler.seen[0]?.authorization).toMatch(/^Bearer /);
    expect(bed.handler.seen[0]?.authorization).not.toContain(bed.server.adminToken);
  });

  it('bring back what the guest says', async () => {
    const conditions = [{ type: 'AgentConnected', status: 'True' }];
    await bed.instance('talkative', { status: { phase: 'Running', nodeName: NODE, conditions } });
    bed.handler.behaviour.answer = () => ({ code: 200, body: { guestAgentVersion: '7.2' } });

    const { code, object } = await call('GET', 'virtualmachineinstances/talkative/guestosinfo');

    expect([code, object]).toEqual([200, { guestAgentVersion: '7.2' }]);
  });

  it('tell what the node refuses, in its words', async () => {
    await bed.instance('stubborn');
    const status = { kind: 'Status', apiVersion: 'v1', code: 409, reason: 'Conflict', message: 'the guest is busy' };
    bed.handler.behaviour.answer = () => ({ code: 409, body: status });

    const { code, object } = await put('virtualmachineinstances/stubborn/softreboot');

    expect([code, object['message'], object['reason']]).toEqual([409, 'the guest is busy', 'Conflict']);
  });

  it('are not sent when the state stands against them', async () => {
    await bed.instance('scheduled', { status: { phase: 'Scheduled', nodeName: NODE } });

    const answers = [
      await put('virtualmachineinstances/scheduled/pause'),
      await put('virtualmachineinstances/scheduled/unpause'),
      await put('virtualmachineinstances/scheduled/freeze', { unfreezeTimeout: '1m' }),
      await put('virtualmachineinstances/scheduled/reset'),
      await call('GET', 'virtualmachineinstances/scheduled/userlist'),
    ];

    expect(answers.map(({ code }) => code)).toEqual([409, 409, 409, 409, 409]);
    expect(bed.handler.seen).toEqual([]);
  });

  it('say where the way to the node ends', async () => {
    await bed.instance('astray', { status: { phase: 'Running', nodeName: 'nowhere' } });
    await bed.instance('loose', { status: { phase: 'Running' } });

    const astray = await put('virtualmachineinstances/astray/pause');
    const loose = await put('virtualmachineinstances/loose/pause');

    expect([astray.code, astray.object['message']]).toEqual([
      503,
      'Unable to connect to virt-handler: there is no node nowhere: see kubectl get nodes',
    ]);
    expect(loose.object['message']).toContain('is on no node');
  });

  it('do not lay it on the caller when the node does not know us', async () => {
    await bed.instance('strange');
    bed.handler.behaviour.answer = () => ({ code: 403, body: { message: 'virt-api may not do that' } });

    const { code, object } = await put('virtualmachineinstances/strange/pause');

    expect([code, object['message']]).toEqual([500, 'virt-handler refuses virt-api (403): virt-api may not do that']);
  });
});

describe('evacuations', () => {
  it('are given up from the node that is named', async () => {
    await bed.instance('leaving', { status: { phase: 'Running', nodeName: NODE, evacuationNodeName: NODE } });

    const wrong = await put('virtualmachineinstances/leaving/evacuate/cancel', { evacuationNodeName: 'other' });
    const right = await put('virtualmachineinstances/leaving/evacuate/cancel', { evacuationNodeName: NODE });

    const instance = await bed.admin.resource(virtualMachineInstanceKind).get('leaving', { namespace: 'default' });
    expect([wrong.code, right.code]).toEqual([409, 200]);
    expect(instance.status?.evacuationNodeName).toBeUndefined();
  });
});

describe('what cannot be', () => {
  it.each([
    ['PUT', 'virtualmachines/none/start', {}, 404, 'virtualmachine.kubevirt.io "none" not found'],
    ['PUT', 'virtualmachineinstances/none/pause', {}, 404, 'virtualmachineinstance.kubevirt.io "none" not found'],
    ['GET', 'virtualmachines/none/start', undefined, 405, 'virtualmachines/start takes PUT and not GET'],
    ['PUT', 'virtualmachines/none/dance', {}, 404, 'the server could not find the requested resource'],
    ['PUT', 'virtualmachines/none/start/now', {}, 404, 'the server could not find the requested resource'],
    ['PUT', 'virtualmachines/../start', {}, 404, 'the server could not find the requested resource'],
    ['PUT', 'virtualmachines/none/start', '{"paused": 1}', 400, 'paused has to be true or false'],
    [
      'PUT',
      'virtualmachines/none/stop',
      '{"gracePeriod": "1", "dryRun": "All"}',
      400,
      'gracePeriod has to be a whole number, dryRun has to be a list of texts',
    ],
    ['PUT', 'virtualmachines/none/start', '{"dryRun": ["Some"]}', 400, 'unsupported value "Some", use "All"'],
    ['PUT', 'virtualmachines/none/start', '[]', 400, 'it is no object'],
    ['PUT', 'virtualmachines/none/start', '{', 400, 'Can not unmarshal Request body to struct'],
    ['GET', 'virtualmachineinstances/none/console', undefined, 400, 'the client is not using the websocket protocol'],
    ['GET', 'virtualmachineinstances/none/vnc/screenshot', undefined, 501, 'is not served here'],
  ])('%s %s with %j is refused', async (...[method, path, body, code, message]) => {
    const answer = await call(method, path, body);

    expect([answer.code, answer.object['message']]).toEqual([code, expect.stringContaining(message)]);
    expect(answer.object['kind']).toBe('Status');
  });

  it('is a body without end', async () => {
    const answer = await call('PUT', 'virtualmachines/none/start', 'x'.repeat(3 * 1024 * 1024 + 1));

    expect(answer.code).toBe(413);
  });
});

describe('who may', () => {
  it('is whom roles say, by the name of the subresource', async () => {
    await bed.instance('guarded');
    const token = await bed.token('ann');
    const url = `${bed.server.url}${ROOT}/virtualmachineinstances/guarded/pause`;

    const before = await ask('PUT', url, { ca: bed.server.ca, token, body: {} });
    await allow('ann', { resources: ['virtualmachineinstances/pause'], verbs: ['update'] });
    const after = await ask('PUT', url, { ca: bed.server.ca, token, body: {} });
    const other = await ask('PUT', url.replace('pause', 'reset'), { ca: bed.server.ca, token, body: {} });

    expect([before.code, after.code, other.code]).toEqual([403, 200, 403]);
  });
});

describe('documents', () => {
  it('show machines as they would be stored', async () => {
    const draft = machineDraft('imagined');
    const body = JSON.stringify({ apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', ...draft });

    const expanded = await call('PUT', 'expand-vm-spec', body);
    const wrong = await call('PUT', 'expand-vm-spec', { spec: { template: 1 } });

    expect(expanded.code).toBe(200);
    expect(expanded.object).toMatchObject({ spec: { template: { spec: { architecture: 'amd64' } } } });
    expect([wrong.code, wrong.object['reason']]).toEqual([422, 'Invalid']);
  });

  it('tell the version and that we are well', async () => {
    const [version, health] = await Promise.all(
      ['version', 'healthz'].map((name) => plain(`/apis/subresources.kubevirt.io/v1/${name}`)),
    );

    expect([version?.code, health?.code]).toEqual([200, 200]);
    expect(version?.object).toHaveProperty('gitVersion');
  });

  it('of discovery list all names, and no kinds that others serve', async () => {
    const { object } = await plain('/apis/subresources.kubevirt.io/v1');
    const { object: old } = await plain('/apis/subresources.kubevirt.io/v1alpha3');

    const names = (Array.isArray(object['resources']) ? object['resources'] : []).map((each) => Object(each).name);
    expect(names).toHaveLength(41);
    expect(names).toEqual(expect.arrayContaining(['virtualmachineinstances/console', 'virtualmachines/start']));
    expect(names).not.toContain('virtualmachineinstances');
    expect(old['groupVersion']).toBe('subresources.kubevirt.io/v1alpha3');
  });

  it('of OpenAPI describe every path that is served', async () => {
    const v3 = await plain('/openapi/v3/apis/subresources.kubevirt.io/v1');
    const v2 = await plain('/openapi/v2');

    const path = `${ROOT.replace('default', '{namespace}')}/virtualmachines/{name}/start`;
    expect(v3.object).toMatchObject({ paths: { [path]: { put: { operationId: 'putV1VirtualmachinesStart' } } } });
    expect(v2.object).toMatchObject({ paths: { [path]: { put: { consumes: ['application/json'] } } } });
  });
});

function put(path: string, body: JsonObject | string = ''): Promise<Answered> {
  return call('PUT', path, body);
}

function call(method: string, path: string, body?: JsonObject | string): Promise<Answered> {
  const given = body === undefined ? {} : { body };
  return ask(method, `${bed.server.url}${ROOT}/${path}`, { ca: bed.server.ca, token: bed.server.adminToken, ...given });
}

function plain(path: string): Promise<Answered> {
  return ask('GET', `${bed.server.url}${path}`, { ca: bed.server.ca, token: bed.server.adminToken });
}

async function allow(name: string, rule: { readonly resources: string[]; readonly verbs: string[] }): Promise<void> {
  const root = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  const role = { metadata: { name }, rules: [{ apiGroups: ['subresources.kubevirt.io'], ...rule }] };
  await bed.admin.request({ method: 'POST', path: `${root}/roles`, body: JSON.stringify(role) });
  const binding = {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'smalt-system' }],
  };
  await bed.admin.request({ method: 'POST', path: `${root}/rolebindings`, body: JSON.stringify(binding) });
}
