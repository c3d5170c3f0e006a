import type { SwitchTopology, TopologyBridge, TopologyInterface, TopologyPort } from '@smalt/ovs-api';

/** Reads what the agent of a switch answered. Undefined for what is no topology. */
export function readTopology(answer: unknown): SwitchTopology | undefined {
  return isTopology(answer) ? answer : undefined;
}

function isTopology(value: unknown): value is SwitchTopology {
  return isRecord(value) && typeof value['at'] === 'string' && isListOf(value['bridges'], isBridge);
}

function isBridge(value: unknown): value is TopologyBridge {
  return isNamed(value) && isListOf(value['ports'], isPort);
}

function isPort(value: unknown): value is TopologyPort {
  return isNamed(value) && isListOf(value['interfaces'], isInterface);
}

function isInterface(value: unknown): value is TopologyInterface {
  return isNamed(value) && typeof value['type'] === 'string' && typeof value['link'] === 'string';
}

function isNamed(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && typeof value['name'] === 'string';
}

function isListOf(value: unknown, isOne: (each: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
