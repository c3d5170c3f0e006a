import { describe, expect, it } from 'vitest';

import { parseTrace } from './parse-trace.ts';
import type { TraceStep } from './trace-report.ts';

describe('parseTrace', () => {
  it('makes a tree: actions in tables, tables in the action that led there and came back', () => {
    const [pass] = parseTrace(RECORDED).passes;

    expect(outline(pass?.steps ?? [])).toEqual([
      '0 in_port=tap1 100 0xd134970f',
      '  set_field:0x1->reg14',
      '  resubmit(,8)',
      '8 metadata=0x1 50 0xcfb64ede',
      '  resubmit(,73)',
      '    73 ip,reg14=0x1 90 0xd134970f',
      '      set_field:0/0x1000->reg10',
      '  resubmit(,68)',
      '    68 no match',
      '      drop',
      '  move:NXM_NX_REG10[12]->NXM_NX_XXREG0[111]',
      '    -> NXM_NX_XXREG0[111] is now 0',
      '  resubmit(,14)',
      '14 any 110',
      '  ct(table=15,zone=NXM_NX_REG13[0..15],nat)',
      '  nat',
      '    -> A clone of the packet is forked to recirculate. The forked pipeline will be resumed at table 15.',
    ]);
  });

  it('tells the passes apart and what each of them came to', () => {
    const { flow, passes, text } = parseTrace(RECORDED);

    expect(flow).toBe('tcp,in_port=tap1,nw_ttl=64');
    expect(text).toBe(RECORDED);
    expect(passes).toMatchObject([
      {
        bridge: 'br-int',
        resumedBy: undefined,
        finalFlow: 'tcp,reg0=0x5',
        megaflow: 'recirc_id=0,eth,tcp,in_port=tap1',
        datapathActions: 'ct(zone=1,nat),recirc(0x3)',
        remarks: [],
      },
      {
        bridge: 'br-int',
        resumedBy: 'recirc(0x3) - resume conntrack with default ct_state=trk|new (use --ct-next to customize)',
        finalFlow: 'unchanged',
        datapathActions: 'ct(commit,zone=4,mark=0/0x1,nat(src)),tap2',
        remarks: [
          'This flow is handled by the userspace slow path because it:',
          '- Uses action(s) not supported by datapath.',
        ],
      },
    ]);
  });

  it('puts the tables of a bridge that the packet goes on to below that bridge', () => {
    const [pass] = parseTrace(FLOODED).passes;

    expect(outline(pass?.steps ?? [])).toEqual([
      '0 any 0',
      '  NORMAL',
      '    -> no learned MAC for destination, flooding',
      'bridge br-int',
      '  0 any 0',
      '    drop',
    ]);
  });

  it('refuses what is no trace', () => {
    expect(() => parseTrace('hello\n')).toThrow('this is no trace: "hello\\n"');
  });
});

describe('the verdict', () => {
  it.each([
    { actions: 'tap2', verdict: { kind: 'output', ports: ['tap2'] } },
    { actions: '"tap-2",3,tap2', verdict: { kind: 'output', ports: ['tap-2', '3', 'tap2'] } },
    {
      actions: 'clone(set(tunnel(dst=1.2.3.4)),genev_sys_6081),pop_vlan,tap2',
      verdict: { kind: 'output', ports: ['genev_sys_6081', 'tap2'] },
    },
    {
      actions: 'check_pkt_len(size=1514,gt(drop),le(set(eth(src=00:00:00:00:00:01)),7))',
      verdict: { kind: 'output', ports: ['7'] },
    },
    {
      actions: 'tnl_push(tnl_port(genev_sys_6081),header(size=50,type=5),out_port(br-ex)),8',
      verdict: { kind: 'output', ports: ['br-ex', '8'] },
    },
    { actions: 'userspace(pid=0,controller(reason=1,max_len=65535))', verdict: { kind: 'controller' } },
    { actions: 'userspace(pid=0,slow_path(action))', verdict: { kind: 'drop', why: 'no flow of table 3 matches' } },
    { actions: 'drop', verdict: { kind: 'drop', why: 'no flow of table 3 matches' } },
    { actions: 'ct(commit,zone=11),recirc(0xb)', verdict: { kind: 'drop', why: 'no flow of table 3 matches' } },
  ])('of $actions is $verdict.kind', ({ actions, verdict }) => {
    expect(parseTrace(traceWith(' 3. No match.\n    drop', actions)).verdict).toEqual(verdict);
  });

  it.each([
    { steps: ' 3. ip, priority 5\n    drop', why: 'the flow of table 3 with priority 5 sends it nowhere' },
    { steps: ' 3. ip, priority 5\n    NORMAL\n     >> no port, dropping', why: 'no port, dropping' },
    {
      steps: ' 3. ip, priority 5\n    resubmit(,3)\n     >>>> over max translation depth 64 <<<<',
      why: 'over max translation depth 64',
    },
  ])('of a dropped packet says why: $why', ({ steps, why }) => {
    expect(parseTrace(traceWith(steps, 'drop')).verdict).toEqual({ kind: 'drop', why });
  });

  it('of a packet that waits for the answer of the controller is not a drop', () => {
    const text = traceWith(' 3. udp, priority 5\n    controller(userdata=00.00.00.02,pause)', 'drop');

    expect(parseTrace(text).verdict).toEqual({ kind: 'controller' });
  });
});

function outline(steps: readonly TraceStep[], indent = ''): readonly string[] {
  return steps.flatMap((step) => [`${indent}${label(step)}`, ...outline(step.steps, `${indent}  `)]);
}

function label(step: TraceStep): string {
  switch (step.kind) {
    case 'table': {
      if (step.match === undefined) return `${step.table} no match`;
      const cookie = step.cookie === undefined ? '' : ` 0x${step.cookie.toString(16)}`;
      return `${step.table} ${step.match === '' ? 'any' : step.match} ${step.priority}${cookie}`;
    }
    case 'bridge':
      return `bridge ${step.bridge}`;
    case 'action':
      return step.text;
    case 'note':
      return `-> ${step.text}`;
  }
}

function traceWith(steps: string, actions: string): string {
  return `Flow: in_port=1\n\nbridge("br0")\n-------------\n${steps}\n\nFinal flow: unchanged\nMegaflow: eth\nDatapath actions: ${actions}\n`;
}

/** Of Open vSwitch 3.1.0 and OVN 23.03.1, with most tables taken out. */
const RECORDED = `Flow: tcp,in_port=tap1,nw_ttl=64

bridge("br-int")
----------------
 0. in_port=tap1, priority 100, cookie 0xd134970f
    set_field:0x1->reg14
    resubmit(,8)
 8. metadata=0x1, priority 50, cookie 0xcfb64ede
    resubmit(,73)
    73. ip,reg14=0x1, priority 90, cookie 0xd134970f
            set_field:0/0x1000->reg10
    resubmit(,68)
    68. No match.
            drop
    move:NXM_NX_REG10[12]->NXM_NX_XXREG0[111]
     -> NXM_NX_XXREG0[111] is now 0
    resubmit(,14)
14. priority 110
    ct(table=15,zone=NXM_NX_REG13[0..15],nat)
    nat
     -> A clone of the packet is forked to recirculate. The forked pipeline will be resumed at table 15.

Final flow: tcp,reg0=0x5
Megaflow: recirc_id=0,eth,tcp,in_port=tap1
Datapath actions: ct(zone=1,nat),recirc(0x3)

===============================================================================
recirc(0x3) - resume conntrack with default ct_state=trk|new (use --ct-next to customize)
Replacing src/dst IP/ports to simulate NAT:
 Initial flow: 
 Modified flow: 
===============================================================================

Flow: recirc_id=0x3,ct_state=new|trk,ct_zone=1,eth,tcp

bridge("br-int")
----------------
    thaw
        Resuming from table 15
15. ct_state=+new-est+trk,metadata=0x1, priority 7, cookie 0x97473dfc
    output:tap2

Final flow: unchanged
Megaflow: recirc_id=0x3,eth
Datapath actions: ct(commit,zone=4,mark=0/0x1,nat(src)),tap2
This flow is handled by the userspace slow path because it:
  - Uses action(s) not supported by datapath.
`;

const FLOODED = `Flow: in_port=LOCAL,dl_type=0x0000

bridge("br-ex")
---------------
 0. priority 0
    NORMAL
     -> no learned MAC for destination, flooding

bridge("br-int")
----------------
 0. priority 0
    drop

Final flow: unchanged
Megaflow: recirc_id=0,eth,in_port=LOCAL
Datapath actions: drop
`;
