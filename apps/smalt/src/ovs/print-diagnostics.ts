import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { printableText } from '../printable-text.ts';
import { table } from '../table.ts';
import type { TextStyle } from './print-trace.ts';

/** What is worth seeing of the whole switch: its daemons and bridges, and what is wrong. */
export function printSwitch(report: JsonObject, style: TextStyle): string {
  const daemons = isJsonObject(report['daemons']) ? Object.entries(report['daemons']) : [];
  const daemonRows = daemons
    .filter(([, daemon]) => isJsonObject(daemon))
    .map(([name, daemon]) => daemonRow(name, daemon));
  const bridges = objectsIn(report['bridges']);
  const bridgeRows = bridges.map((bridge) => [
    text(bridge['name']),
    text(bridge['datapathType']) || 'system',
    String(listIn(bridge['ports']).length),
    String(flowsOf(bridge['flowTables'])),
  ]);
  const errors = bridges.flatMap((bridge) => objectsIn(bridge['errors']));
  return [
    table([['DAEMON', 'STATE', 'VERSION', 'PID'], ...daemonRows]),
    '',
    table([['BRIDGE', 'DATAPATH', 'PORTS', 'FLOWS'], ...bridgeRows]),
    ...errors.map(({ name, error }) => style.bad(`${text(name)}: ${text(error)}`)),
    ...bondLines(report['bonds'], style),
    ...changeLines(report['changes'], style),
  ].join('\n');
}

/** One bridge: a line for each interface, and what it has learned. */
export function printBridge(report: JsonObject, style: TextStyle): string {
  const devices = objectsIn(report['ports']).flatMap((port) =>
    objectsIn(port['interfaces']).map((device) => interfaceRow(text(port['name']), device)),
  );
  const learned = isJsonObject(report['learned']) ? objectsIn(report['learned']['value']) : [];
  const learnedRows = learned.map((entry) => ['mac', 'vlan', 'port', 'ageSeconds'].map((name) => text(entry[name])));
  return [
    `${text(report['name'])}: ${flowsOf(report['flowTables'])} flows`,
    table([['PORT', 'INTERFACE', 'NUMBER', 'TYPE', 'ADMIN', 'LINK', 'RX', 'TX', 'DROPS', 'ERROR'], ...devices]),
    ...(learnedRows.length === 0 ? [] : ['', table([['LEARNED', 'VLAN', 'PORT', 'AGE'], ...learnedRows])]),
    ...changeLines(report['changes'], style),
  ].join('\n');
}

/** One port with its interfaces, bond, logical ports and what happened to it. */
export function printPort(report: JsonObject, style: TextStyle): string {
  const devices = objectsIn(report['interfaces']).map((device) => interfaceRow(text(report['name']), device));
  const bindings = objectsIn(report['ovn']).map((binding) => {
    const chassis = text(binding['chassis']) || 'unknown';
    return `logical port ${text(binding['logicalPort'])}: chassis ${chassis}, bound here: ${text(binding['boundHere']) || 'unknown'}`;
  });
  return [
    `port ${text(report['name'])} of ${text(report['bridge'])}`,
    table([['PORT', 'INTERFACE', 'NUMBER', 'TYPE', 'ADMIN', 'LINK', 'RX', 'TX', 'DROPS', 'ERROR'], ...devices]),
    ...bondLines(isJsonObject(report['bond']) ? { value: [report['bond']['value'] ?? null] } : undefined, style),
    ...bindings,
    ...changeLines(report['changes'], style),
  ].join('\n');
}

function daemonRow(name: string, daemon: JsonValue): readonly string[] {
  const fields = isJsonObject(daemon) ? daemon : {};
  return [name, ...['state', 'version', 'processId'].map((field) => text(fields[field]))];
}

function interfaceRow(port: string, device: JsonObject): readonly string[] {
  const counters = isJsonObject(device['statistics']) ? device['statistics'] : {};
  const drops = Number(counters['rx_dropped'] ?? 0) + Number(counters['tx_dropped'] ?? 0);
  return [
    port,
    text(device['name']),
    text(device['ofport']),
    text(device['type']) || 'system',
    text(device['adminState']),
    text(device['linkState']),
    text(counters['rx_packets']),
    text(counters['tx_packets']),
    String(drops),
    text(device['error']),
  ];
}

function bondLines(bonds: JsonValue | undefined, style: TextStyle): readonly string[] {
  const found = isJsonObject(bonds) ? objectsIn(bonds['value']) : [];
  return found.flatMap((bond) => [
    `bond ${text(bond['name'])}: ${text(bond['mode'])}, LACP ${text(bond['lacpStatus']) || 'unknown'}`,
    ...objectsIn(bond['members']).map((member) =>
      member['isEnabled'] === true
        ? `  ${text(member['name'])}: enabled`
        : style.bad(`  ${text(member['name'])}: disabled`),
    ),
  ]);
}

const MOST_CHANGES = 10;

function changeLines(changes: JsonValue | undefined, style: TextStyle): readonly string[] {
  const last = objectsIn(changes).slice(-MOST_CHANGES);
  const lines = last.map((change) => {
    const columns = isJsonObject(change['columns']) ? Object.keys(change['columns']).join(', ') : '';
    return `${text(change['at'])}  ${text(change['table'])} ${text(change['name'])} ${text(change['kind'])} ${printableText(columns)}`;
  });
  return lines.length === 0 ? [] : ['', 'last changes', ...lines.map((line) => style.faint(line.trimEnd()))];
}

function flowsOf(answer: JsonValue | undefined): number | string {
  if (!isJsonObject(answer) || answer['kind'] !== 'known') return 'unknown';
  return objectsIn(answer['value']).reduce((sum, each) => sum + Number(each['flows'] ?? 0), 0);
}

function objectsIn(value: JsonValue | undefined): readonly JsonObject[] {
  return listIn(value).filter(isJsonObject);
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonArray(value) ? value : [];
}

function text(value: JsonValue | undefined): string {
  if (value === undefined || value === null || isJsonObject(value) || isJsonArray(value)) return '';
  return printableText(String(value));
}
