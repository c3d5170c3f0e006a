import { XdrReader, XdrWriter } from '@smalt/xdr';
import { describe, expect, it } from 'vitest';

import { InterpretedDaemon } from '../../generate/interpreted-daemon.ts';
import { readSchema } from '../../generate/read-schema.ts';
import type { WireRecord } from '../../generate/wire-value.ts';
import type { LibvirtStream, OpenedStream } from '../libvirt-stream.ts';
import type { CallOptions, Procedure, StreamProcedure } from '../procedure.ts';
import { domainEvents, eventMessages, secretEvents } from './events.gen.ts';
import { procedures } from './procedures.gen.ts';
import { RemoteProcedures } from './remote-procedures.gen.ts';
import type { Domain } from './structs.gen.ts';

const daemon = new InterpretedDaemon((await readSchema()).wire);
const domain: Domain = { name: 'web', uuid: '00000000-0000-4000-8000-000000000001', id: 7 };
const wireDomain = { name: 'web', uuid: '00000000000040008000000000000001', id: 7 };

describe('a method', () => {
  it('takes one object of arguments and sends 0 for flags that are left out', async () => {
    const client = new ScriptedClient({ xml: '<domain/>' });

    const xml = await client.domainGetXmlDesc({ domain });

    expect(xml).toBe('<domain/>');
    expect(client.calls).toEqual([{ name: 'domainGetXmlDesc', args: { domain: wireDomain, flags: 0 } }]);
  });

  it('takes nothing where there are no arguments', async () => {
    const client = new ScriptedClient({ hostname: 'node-1' });

    expect(await client.connectGetHostname()).toBe('node-1');
    expect(client.calls).toEqual([{ name: 'connectGetHostname', args: {} }]);
  });

  it('always asks for the items of a list, and gives the list alone', async () => {
    const client = new ScriptedClient({ domains: [wireDomain], count: 1 });

    expect(await client.connectListAllDomains()).toEqual([domain]);
    expect(client.calls).toEqual([{ name: 'connectListAllDomains', args: { needResults: 1, flags: 0 } }]);
  });

  it('gives all fields of a result that has more than one', async () => {
    const client = new ScriptedClient({ state: 1, reason: 5 });

    expect(await client.domainGetState({ domain })).toEqual({ state: 1, reason: 5 });
  });

  it('resolves with nothing where there is no result', async () => {
    const client = new ScriptedClient({});

    expect(await client.domainDestroy({ domain })).toBeUndefined();
  });

  it('sends an absent value for a nullable argument that is left out', async () => {
    const client = new ScriptedClient({ cookieOut: new Uint8Array(0) });

    await client.domainMigratePerform3Params({ domain, params: { bandwidth: 8n, migrate_disks: ['vda', 'vdb'] } });

    expect(client.calls[0]?.args).toEqual({
      domain: wireDomain,
      destinationConnectionUri: undefined,
      params: [
        { field: 'bandwidth', type: 4, value: 8n },
        { field: 'migrate_disks', type: 7, value: 'vda' },
        { field: 'migrate_disks', type: 7, value: 'vdb' },
      ],
      cookieIn: new Uint8Array(0),
      flags: 0,
    });
  });

  it('passes the options of the call on', async () => {
    const client = new ScriptedClient({ hostname: 'a' }, { xml: '' });
    const options = { timeoutMs: 5 };

    await client.connectGetHostname(options);
    await client.domainGetXmlDesc({ domain }, options);

    expect(client.options).toEqual([options, options]);
  });
});

describe('an argument that cannot be sent', () => {
  it.each([
    {
      act: (client: ScriptedClient) => client.domainReboot({ domain, flags: -1 }),
      error: "domainReboot: argument 'flags': -1 is not an unsigned 32-bit integer",
    },
    {
      act: (client: ScriptedClient) => client.domainSetMemory({ domain, memory: 4 as unknown as bigint }),
      error: "domainSetMemory: argument 'memory' is missing or has the wrong type: Cannot convert 4 to a BigInt",
    },
    {
      act: (client: ScriptedClient) => client.domainLookupByUuid({ uuid: 'web' }),
      error: "domainLookupByUuid: argument 'uuid': 'web' is not a UUID",
    },
    {
      act: (client: ScriptedClient) => client.domainSuspend({} as { domain: Domain }),
      error: "domainSuspend: argument 'domain' is missing or has the wrong type: Cannot read properties of undefined",
    },
    {
      act: (client: ScriptedClient) => client.domainSetMemoryParameters({ domain, params: { hard_limit: -1n } }),
      error: "domainSetMemoryParameters: argument 'params': 'hard_limit': -1 is not an unsigned 64-bit integer",
    },
  ])('is named: $error', async ({ act, error }) => {
    await expect(act(new ScriptedClient({}))).rejects.toThrow(error);
  });
});

describe('a call whose parameters are counted first', () => {
  it('asks for their number, then for the parameters', async () => {
    const client = new ScriptedClient(
      { params: [], nparams: 2 },
      { params: [{ field: 'hard_limit', type: 4, value: 5n }], nparams: 2 },
    );

    const parameters = await client.domainGetMemoryParameters({ domain });

    expect(parameters.hard_limit).toBe(5n);
    expect(client.calls.map(({ args }) => args['nparams'])).toEqual([0, 2]);
  });

  it('asks once when the caller says the number', async () => {
    const client = new ScriptedClient({ params: [{ field: 'kernel', value: 9n }], nparams: 4 });

    expect(await client.nodeGetCpuStats({ nparams: 4 })).toEqual({ kernel: 9n });
    expect(client.calls).toEqual([{ name: 'nodeGetCpuStats', args: { cpuNum: -1, nparams: 4, flags: 0 } }]);
  });

  it('asks once when there are none', async () => {
    const client = new ScriptedClient({ params: [], nparams: 0 });

    expect(await client.domainGetCpuStats({ domain })).toEqual([]);
    expect(client.calls).toHaveLength(1);
  });

  it('learns the number of scheduler parameters from the type of the scheduler', async () => {
    const client = new ScriptedClient(
      { type: 'posix', nparams: 1 },
      { params: [{ field: 'cpu_shares', type: 4, value: 1024n }] },
    );

    expect(await client.domainGetSchedulerParametersFlags({ domain })).toEqual({ cpu_shares: 1024n });
    expect(client.calls.map(({ name }) => name)).toEqual([
      'domainGetSchedulerType',
      'domainGetSchedulerParametersFlags',
    ]);
  });
});

describe('a call that opens a stream', () => {
  it('gives the stream alone where there is no other result', async () => {
    const client = new ScriptedClient({});

    expect(await client.domainOpenConsole({ domain })).toBe(client.stream);
  });

  it('gives the result beside the stream where there is one', async () => {
    const client = new ScriptedClient({ mime: 'image/png' });

    expect(await client.domainScreenshot({ domain })).toEqual({ result: 'image/png', stream: client.stream });
  });
});

describe('procedures', () => {
  it('say which of them pass file descriptors', () => {
    const passing = Object.values(procedures).filter((procedure) => procedure.passesFileDescriptors);

    expect(passing.map(({ name }) => name)).toEqual([
      'domainOpenGraphics',
      'domainCreateXmlWithFiles',
      'domainCreateWithFiles',
      'domainOpenGraphicsFd',
      'domainFdAssociate',
      'qemuDomainMonitorCommandWithFiles',
      'lxcDomainOpenNamespace',
    ]);
  });

  it('have a method unless the connection makes the call by itself', () => {
    const methods = new Set(Object.getOwnPropertyNames(RemoteProcedures.prototype));
    const without = Object.keys(procedures).filter((name) => !methods.has(name));

    expect(without.filter((name) => !/Event(Callback)?(Der|R)egister(Any)?$/.test(name))).toEqual([
      'connectOpen',
      'connectClose',
      'authList',
      'authSaslInit',
      'authSaslStart',
      'authSaslStep',
      'authPolkit',
      'connectRegisterCloseCallback',
      'connectUnregisterCloseCallback',
      'adminConnectOpen',
      'adminConnectClose',
      'adminServerUpdateTlsFiles',
    ]);
  });
});

describe('events', () => {
  it('are found by kind, with the id to register for and the message that reports them', () => {
    const { eventID, message } = domainEvents['block-threshold'];
    const bytes = daemon.writeMessage(
      message.name,
      { domain: wireDomain, device: 'vda', path: undefined, threshold: 5n, excess: 6n },
      42,
    );

    expect(eventID).toBe(24);
    expect(message.read(new XdrReader(bytes))).toEqual({
      callbackID: 42,
      payload: { kind: 'block-threshold', domain, device: 'vda', path: undefined, threshold: 5n, excess: 6n },
    });
  });

  it('of other objects have tables of their own', () => {
    expect(secretEvents['value-changed']).toEqual({
      eventID: 1,
      kind: 'value-changed',
      message: eventMessages.secretEventValueChanged,
    });
  });
});

/** Answers calls from a script; everything goes over the wire format in between. */
class ScriptedClient extends RemoteProcedures {
  readonly calls: { name: string; args: WireRecord }[] = [];
  readonly options: (CallOptions | undefined)[] = [];
  readonly stream: LibvirtStream = {
    write: () => Promise.resolve(),
    writeHole: () => Promise.resolve(),
    finish: () => Promise.resolve(),
    abort: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
    [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
  };
  readonly #results: WireRecord[];

  constructor(...results: WireRecord[]) {
    super();
    this.#results = results;
  }

  protected override async call<Args, Result>(
    procedure: Procedure<Args, Result>,
    args: Args,
    options?: CallOptions,
  ): Promise<Result> {
    const writer = new XdrWriter();
    procedure.writeArgs(writer, args);
    this.calls.push({ name: procedure.name, args: daemon.readArgs(procedure.name, writer.take()) });
    this.options.push(options);
    const reader = new XdrReader(daemon.writeResult(procedure.name, this.#results.shift() ?? {}));
    const result = procedure.readResult(reader);
    reader.end();
    return result;
  }

  protected override async openStream<Args, Result>(
    procedure: StreamProcedure<Args, Result>,
    args: Args,
    options?: CallOptions,
  ): Promise<OpenedStream<Result>> {
    return { result: await this.call(procedure, args, options), stream: this.stream };
  }
}
