import { describe, expect, it } from 'vitest';

import {
  bridge,
  card,
  guestPort,
  healthyConfiguration,
  healthyFacts,
  healthyOvn,
  known,
  NOW,
  plainPort,
  port,
  unknown,
  unread,
} from '../../fixtures/build-facts.ts';
import { issueNames, judgeSeries } from '../../fixtures/judge-series.ts';
import { readRecording } from '../../fixtures/read-recording.ts';
import type { HealthSettings } from '../../health-settings.ts';
import type { PortFacts, SouthboundFacts, SwitchFacts } from '../../switch-facts.ts';

const CHASSIS = 'a1b2c3d4-e5f6-7890-abcd-ef1234567890';

describe('the ports of a real node with OVN', () => {
  it('are found wanting by their rules, and only those that are', async () => {
    const looks = await ovnNode({ meta: undefined, vm1: CHASSIS, vm2: CHASSIS }, ['meta']);

    expect(found(looks)).toEqual([
      'Critical DuplicateInterfaceId vm1',
      'Warning PortDeviceMissing qvo-abc123',
      'Warning PatchWithoutPeer pnone',
      'Warning PatchWithoutPeer pnope',
      'Warning PortNotClaimed tapghost',
      'Warning PortNotClaimed tapvm2x',
      'Warning LeftoverCapture br-int/m1',
    ]);
  });

  it('are not called unclaimed where only the southbound database could tell', async () => {
    const looks = await ovnNode(undefined);

    expect(found(looks).filter((issue) => issue.includes('PortNotClaimed'))).toEqual([]);
  });

  it('are told to be claimed twice, after a move that left them behind', async () => {
    const looks = await ovnNode({ meta: undefined, vm1: CHASSIS, vm2: 'hv2' }, ['meta']);

    expect(found(looks)).toContain('Critical PortClaimedElsewhere tap2');
    expect(judgeSeries(looks).at(-1)?.status.issues).toContainEqual(
      expect.objectContaining({
        message: 'Port tap2 is claimed twice: its iface-id vm2 is bound to chassis hv2',
        detectedAt: '2025-02-03T10:15:00Z',
      }),
    );
  });
});

describe('the ports of a real node without a simulated datapath', () => {
  it('have lost a device while it was open, and one that was never there', async () => {
    const { configuration } = await readRecording('link-down');

    const looks = over(healthyFacts({ configuration, ovn: undefined }));

    expect(found(looks).filter((issue) => issue.includes('Port'))).toEqual([
      'Warning PortDeviceMissing qvo-abc123',
      'Warning PortDeviceGone tapgone',
    ]);
  });

  it('are no orphans where they are members of a bond, whose degradation is told instead', async () => {
    const { configuration, bond } = await readRecording('member-missing');
    const bonds = new Map([
      ['bond0', known(bond)],
      ['lag0', known(bond)],
    ]);

    const looks = over(healthyFacts({ configuration, bonds, ovn: undefined }));

    expect(found(looks)).toEqual([
      'Critical BridgeUnhealthy br-sys',
      'Warning BondUnhealthy bond0',
      'Warning BondUnhealthy lag0',
      'Warning PortDeviceMissing qvo-abc123',
      'Warning PortDeviceMissing tapgone',
    ]);
  });
});

describe('a port', () => {
  const missing = { ofport: -1n, error: 'could not open network device qvo-abc123 (No such device)' };
  const gone = { ifindex: 0n, linkState: 'down', adminState: 'down' };

  it.each<[string, PortFacts, readonly string[]]>([
    ['without a device is an orphan', plainPort('qvo1', missing), ['Warning PortDeviceMissing qvo1']],
    ['whose device is gone is one, too', plainPort('qvo1', gone), ['Warning PortDeviceGone qvo1']],
    ['in another network namespace is none', guestPort('tap2', 'vm1x', { type: 'internal', ...gone }), []],
    ['of DPDK has no number in the kernel', plainPort('dpdk0', { type: 'dpdk', ifindex: 0n }), []],
    ['that is a tunnel is none', plainPort('genev1', { type: 'geneve', ...missing }), []],
    ['that is to be kept is none', kept(plainPort('qvo1', missing)), []],
    ['of the kernel without an owner is not managed', plainPort('tap9'), ['Info UnmanagedPort tap9']],
    ['that is to be kept is managed by whoever said so', kept(plainPort('tap9')), []],
    ['to another bridge needs no owner', plainPort('patch1', { type: 'patch' }), []],
    ['of OVN to another chassis needs none', tunnel('ovn-hv2-0'), []],
  ])('%s', (_what, subject, issues) => {
    expect(found(over(withPorts([subject])))).toEqual(issues);
  });

  it('of a simulated datapath has no device that could be gone', () => {
    const local = plainPort('br-int', { type: 'internal', ofport: 65_534n, ifindex: 0n });
    const simulated = bridge('br-int', [], { ports: [local, guestPort('tap1', 'vm1', gone)] });

    const configuration = healthyConfiguration({ bridges: [simulated] });

    expect(found(over(healthyFacts({ configuration })))).toEqual([]);
  });

  it('is no orphan before it has looked like one for long enough, twice', () => {
    const facts = withPorts([plainPort('qvo1', missing)]);

    expect(found([facts])).toEqual([]);
    expect(found([facts, later(facts, 59_999)])).toEqual([]);
    expect(found([facts], { orphanMs: 0 })).toEqual([]);
    expect(found([facts, later(facts, 1)], { orphanMs: 0 })).toEqual(['Warning PortDeviceMissing qvo1']);
  });

  it('that was well in between begins to be an orphan anew', () => {
    const facts = withPorts([plainPort('qvo1', missing)]);
    const well = withPorts([guestPort('qvo1', 'vm9')]);

    expect(found([facts, later(well, 30_000), later(facts, 60_000)])).toEqual([]);
  });

  it('that a rule is switched off for is left alone', () => {
    const looks = over(withPorts([plainPort('qvo1', missing)]));

    expect(found(looks, { disabledRules: ['PortDeviceMissing'] })).toEqual([]);
  });

  it('is told in the words operators know', () => {
    const looks = over(withPorts([plainPort('qvo-abc123', missing)]));

    expect(judgeSeries(looks).at(-1)?.status.issues).toEqual([
      {
        severity: 'Warning',
        message: 'Orphan port detected: qvo-abc123',
        detectedAt: '2025-02-03T10:15:00Z',
        reason: 'PortDeviceMissing',
        subject: 'qvo-abc123',
        advice: 'If nothing needs it any more, take it away: ovs-vsctl --if-exists del-port br-int qvo-abc123',
      },
    ]);
  });
});

describe('the advice about a port', () => {
  const missing = { ofport: -1n, error: 'could not open network device (No such device)' };

  it.each([
    ['x;reboot', "If nothing needs it any more, take it away: ovs-vsctl --if-exists del-port br-int 'x;reboot'"],
    ['$(id)', "If nothing needs it any more, take it away: ovs-vsctl --if-exists del-port br-int '$(id)'"],
    ['a\nreboot', 'If nothing needs it any more, take it away'],
  ])('can be pasted into a shell though it is called %j', (name, advice) => {
    const looks = over(withPorts([plainPort(name, missing)]));

    expect(
      judgeSeries(looks)
        .at(-1)
        ?.status.issues?.map((issue) => issue.advice),
    ).toEqual([advice]);
  });
});

describe('a port of a logical port', () => {
  const unclaimed = new Map([
    ['iface-id', 'vm2'],
    ['attached-mac', '52:54:00:00:00:02'],
  ]);

  it('that ovn-controller does not claim is an orphan', () => {
    expect(found(over(withPorts([plainPort('tap2', { externalIds: unclaimed })])))).toEqual([
      'Warning PortNotClaimed tap2',
    ]);
  });

  it('is not blamed while ovn-controller is away', () => {
    const ovn = healthyOvn({ connection: known('not connected') });

    expect(found(over({ ...withPorts([plainPort('tap2', { externalIds: unclaimed })]), ovn }))).not.toContain(
      'Warning PortNotClaimed tap2',
    );
  });

  it('may wait here for a guest that is on its way in', () => {
    const facts = bound(withPorts([plainPort('tap2', { externalIds: unclaimed })]), { vm2: 'hv2' });

    expect(found(over(facts))).toEqual([]);
    expect(found([facts, later(facts, 900_000)])).toEqual(['Warning PortClaimedElsewhere tap2']);
  });

  it('may belong to every chassis where the southbound database has it and nobody says more', () => {
    const facts = bound(withPorts([plainPort('tap2', { externalIds: new Map([['iface-id', 'meta']]) })]), {});
    const southbound = { nbCfg: 1n, chassisNbCfg: 1n, chassis: 'hv1', portBindings: new Map([['meta', undefined]]) };

    expect(found(over({ ...facts, ovn: healthyOvn({ southbound: known(southbound) }) }))).toEqual([]);
    expect(found(over(facts))).toEqual(['Warning PortNotClaimed tap2']);
  });

  it('is no second one when its device is missing', () => {
    const old = guestPort('qvo2', 'vm2', { ofport: -1n, error: 'could not open network device qvo2 (No such device)' });
    const facts = bound(withPorts([guestPort('tap2', 'vm2'), old]), { vm2: 'hv1' });

    expect(found(over(facts))).toEqual(['Warning PortDeviceMissing qvo2']);
  });

  it('is claimed twice when it is installed here and bound there', () => {
    const facts = bound(withPorts([guestPort('tap2', 'vm2')]), { vm2: 'hv2' });

    expect(found(over(facts))).toEqual(['Critical PortClaimedElsewhere tap2']);
  });

  it('keeps its issue while the southbound database cannot be read', () => {
    const facts = bound(withPorts([guestPort('tap2', 'vm2')]), { vm2: 'hv2' });
    const blind = { ...facts, ovn: healthyOvn({ southbound: unread('server', NOW + 70_000) }) };

    expect(found([...over(facts), later(blind, 70_000)])).toEqual(['Critical PortClaimedElsewhere tap2']);
    expect(found([...over(facts), later(bound(facts, { vm2: 'hv1' }), 70_000)])).toEqual([]);
  });
});

describe('on a chassis that is not in the southbound database under the name we know', () => {
  it('no port is called bound elsewhere, or unclaimed', () => {
    const installedHere = bound(withPorts([guestPort('tap2', 'vm2')]), { vm1: 'hv1-override', vm2: 'hv1-override' });

    const issues = found(over(unregistered(installedHere)));

    expect(issues).toEqual(['Critical ChassisNotRegistered ovn-controller']);
  });

  it('a port that was left over before stays so', () => {
    const facts = bound(withPorts([guestPort('tap2', 'vm2')]), { vm2: 'hv2' });

    expect(found([...over(facts), later(unregistered(facts), 70_000)])).toEqual(['Critical PortClaimedElsewhere tap2']);
  });

  it('a guest is known by its marks alone', () => {
    const ports = [installed('tap2', 'vm2'), guestPort('tap3', 'vm3')];
    const facts = bound({ ...withPorts(ports), guestDevices: known(new Set(['tap1'])) }, { vm2: 'hv1', vm3: 'hv1' });
    const both = ['Warning GuestGone tap2', 'Warning GuestGone tap3'];

    expect(found(over(facts))).toEqual(both);
    expect(found(over(unregistered(facts)))).toEqual(['Critical ChassisNotRegistered ovn-controller', both[1]]);
    expect(found([...over(facts), later(unregistered(facts), 70_000)])).toEqual(both);
  });
});

describe('the port of a guest', () => {
  const devices = known(new Set(['tap1', 'tap5']));

  it.each<[string, PortFacts, boolean]>([
    ['that no guest has is an orphan', guestPort('tap2', 'vm2'), true],
    ['that a guest has is none', guestPort('tap5', 'vm2'), false],
    ['with a bridge of its own is known by its tap', guestPort('qvo5', 'vm2'), false],
    ['with a bridge of its own is an orphan without its tap', guestPort('qvo6', 'vm2'), true],
    ['without marks is known by its claim', installed('tap2', 'vm2'), true],
    ['without marks and claim may be anything', installed('tap2', 'vm3'), false],
  ])('%s', (_what, subject, isOrphan) => {
    const facts = bound({ ...withPorts([subject]), guestDevices: devices }, { vm2: 'hv1' });

    expect(found(over(facts))).toEqual(isOrphan ? [`Warning GuestGone ${subject.name}`] : []);
  });

  it('keeps its issue while libvirt cannot be asked, and loses it where nobody asks any more', () => {
    const facts = bound({ ...withPorts([guestPort('tap2', 'vm2')]), guestDevices: devices }, { vm2: 'hv1' });
    const issue = ['Warning GuestGone tap2'];

    expect(found([...over(facts), later({ ...facts, guestDevices: unknown() }, 90_000)])).toEqual(issue);
    expect(found([...over(facts), later({ ...facts, guestDevices: undefined }, 90_000)])).toEqual([]);
  });
});

async function ovnNode(
  bindings: Readonly<Record<string, string | undefined>> | undefined,
  localPorts: readonly string[] = [],
): Promise<readonly SwitchFacts[]> {
  const { configuration, localBindings, bond } = await readRecording('ovn-node');
  const southbound = {
    nbCfg: 1n,
    chassisNbCfg: 1n,
    chassis: CHASSIS,
    portBindings: new Map(Object.entries(bindings ?? {})),
    localPorts: new Set(localPorts),
  };
  const ovn = healthyOvn({
    localBindings: known(localBindings),
    southbound: bindings === undefined ? undefined : known(southbound),
  });
  const partner = { lacpStatus: 'negotiated', members: ['swp1', 'swp2'].map((name) => ({ name, isEnabled: true })) };
  const bonds = new Map([
    ['bond0', known(bond)],
    ['lag0', known({ ...partner, lacpStatus: 'negotiated' } as const)],
  ]);
  return over(healthyFacts({ configuration, bonds, ovn }));
}

/** Two looks, a minute apart. */
function over(facts: SwitchFacts): readonly SwitchFacts[] {
  return [facts, later(facts, 60_000)];
}

/** The same facts, answered so much later. */
function later(facts: SwitchFacts, ms: number): SwitchFacts {
  const { ovn, guestDevices } = facts;
  const at = NOW + ms;
  const southbound = ovn?.southbound?.kind === 'known' ? { ...ovn.southbound, at } : ovn?.southbound;
  return {
    ...facts,
    at,
    ovn: ovn && { ...ovn, southbound },
    guestDevices: guestDevices?.kind === 'known' ? { ...guestDevices, at } : guestDevices,
  };
}

function withPorts(ports: readonly PortFacts[]): SwitchFacts {
  const bridges = [bridge('br-int', [guestPort('tap1', 'vm1'), ...ports])];
  return healthyFacts({ configuration: healthyConfiguration({ bridges }) });
}

function bound(facts: SwitchFacts, bindings: Readonly<Record<string, string>>): SwitchFacts {
  const value: SouthboundFacts = {
    nbCfg: 1n,
    chassisNbCfg: 1n,
    chassis: 'hv1',
    portBindings: new Map([['vm1', 'hv1'], ...Object.entries(bindings)]),
    localPorts: new Set(),
  };
  return { ...facts, ovn: healthyOvn({ ...facts.ovn, southbound: known(value) }) };
}

function unregistered(facts: SwitchFacts): SwitchFacts {
  const southbound = facts.ovn?.southbound;
  if (facts.ovn === undefined || southbound?.kind !== 'known') return facts;
  const value = { ...southbound.value, chassis: undefined, chassisNbCfg: undefined };
  return { ...facts, ovn: { ...facts.ovn, southbound: { ...southbound, value } } };
}

function kept(subject: PortFacts): PortFacts {
  return { ...subject, externalIds: new Map([['skip_cleanup', 'true']]) };
}

function tunnel(name: string): PortFacts {
  return port(name, [card(name, { type: 'geneve' })], { externalIds: new Map([['ovn-chassis-id', 'hv2']]) });
}

function installed(name: string, id: string): PortFacts {
  return plainPort(name, {
    externalIds: new Map([
      ['iface-id', id],
      ['ovn-installed', 'true'],
    ]),
  });
}

function found(looks: readonly SwitchFacts[], settings: Partial<HealthSettings> = {}): readonly string[] {
  return issueNames(judgeSeries(looks, settings).at(-1));
}
