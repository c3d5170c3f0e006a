import { Command, InvalidArgumentError } from 'commander';

import { withClusterFlags } from '../output/command-flags.ts';
import type * as RunOvsCommand from './run-ovs-command.ts';
import type { OvsProgram } from './run-ovs-command.ts';
import { addTraceFlags } from './trace-flags.ts';
import { USUAL_NAMESPACES } from './usual-namespaces.ts';

const EXIT_CODES = `
Exit codes beside those of every command: 6 the traced packet is dropped (with --check), 7 the capture ended before its limits,
and what there was of it is written.`;

/** `smalt ovs`: looks into Open vSwitch on a node of the cluster, through the node's agent. */
export function ovsCommand(program: () => OvsProgram): Command {
  const ovs = new Command('ovs').description('look into Open vSwitch on a node').addHelpText('after', EXIT_CODES);
  addTrace(ovs, program);
  addCapture(ovs, program);
  addShow(ovs, program);
  addFlows(ovs, program);
  return ovs;
}

function addTrace(ovs: Command, program: () => OvsProgram): void {
  addTraceFlags(withCommonFlags(ovs.command('trace <node>')))
    .description('show what would become of a packet')
    .requiredOption('--bridge <name>', 'the bridge that it comes in at')
    .requiredOption('--in-port <port>', 'the port that it comes in at: a name, or a number of OpenFlow')
    .option(
      '--conntrack <states>',
      'what connection tracking says at each pass, such as trk,new; may be given again',
      again,
    )
    .option('--check', 'end with 3 if the packet is dropped')
    .option('--raw', 'print the text of the switch as it is')
    .option('--json', 'print JSON')
    .action(async (node: string, flags: object) => await (await load()).runTrace(program(), node, { ...flags }));
}

function addCapture(ovs: Command, program: () => OvsProgram): void {
  withCommonFlags(ovs.command('capture <node> [port]'))
    .description('capture packets of a port, or of all of a bridge')
    .requiredOption('-w, --write <file>', 'where they go, in the format of pcap; - is the standard output')
    .option('--bridge <name>', 'all ports of this bridge, instead of one port')
    .option('--filter <text>', 'only packets like these, such as "host 10.0.0.1 and tcp port 443"')
    .option('--seconds <number>', 'how long', wholeNumber, 30)
    .option('--packets <number>', 'how many at most', wholeNumber)
    .option('--bytes <number>', 'how much at most', wholeNumber)
    .option('--snap-length <number>', 'how much of each packet', wholeNumber)
    .action(
      async (node: string, port: string | undefined, flags: object) =>
        await (await load()).runCapture(program(), { node, port }, { ...flags }),
    );
}

function addShow(ovs: Command, program: () => OvsProgram): void {
  withCommonFlags(ovs.command('show <node> [name]'))
    .description('show the switch, or one bridge or port of it')
    .option('--json', 'print JSON, which has more')
    .action(
      async (node: string, name: string | undefined, flags: object) =>
        await (await load()).runShow(program(), { node, name }, { ...flags }),
    );
}

function addFlows(ovs: Command, program: () => OvsProgram): void {
  withCommonFlags(ovs.command('flows <node> <bridge>'))
    .description('print the flows of a bridge')
    .option('--table <number>', 'of one table')
    .option('--cookie <number>', 'with this cookie, such as 0x1f or 0x10/0xf0')
    .option('--in-port <port>', 'that ask for packets from this port')
    .option('--out-port <port>', 'that send to this port')
    .option('--ip-source <address>', 'that ask for this source')
    .option('--ip-destination <address>', 'that ask for this destination')
    .option('--limit <number>', 'so many at most')
    .option('--json', 'print a line of JSON for each')
    .action(
      async (node: string, bridge: string, flags: object) =>
        await (await load()).runFlows(program(), { node, bridge }, { ...flags }),
    );
}

/** What the commands need is loaded when one is given. */
async function load(): Promise<typeof RunOvsCommand> {
  return await import('./run-ovs-command.ts');
}

function withCommonFlags(command: Command): Command {
  return withClusterFlags(command)
    .option(
      '-n, --namespace <name>',
      `where the OVSNodes live; else they are looked for in ${USUAL_NAMESPACES.join(' and ')}`,
    )
    .option('--token-file <file>', 'a token to show to the agent, instead of what the kubeconfig has');
}

function again(states: string, before: readonly string[] = []): readonly string[] {
  return [...before, states];
}

function wholeNumber(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}
