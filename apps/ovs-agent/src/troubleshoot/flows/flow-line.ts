import { printFlow, printInstructions, printMatch, type Flow } from '@smalt/openflow';

/** A flow as a line of JSON: what it matches and does in the notation of Open vSwitch. */
export function flowJson(flow: Flow): Readonly<Record<string, unknown>> {
  return {
    table: flow.table,
    priority: flow.priority,
    cookie: `0x${flow.cookie.toString(16)}`,
    packets: flow.packets,
    bytes: flow.bytes,
    durationSeconds: flow.durationSeconds,
    ...(flow.idleTimeout === 0 ? {} : { idleTimeout: flow.idleTimeout }),
    ...(flow.hardTimeout === 0 ? {} : { hardTimeout: flow.hardTimeout }),
    match: printMatch(flow.match),
    actions: printInstructions(flow.instructions),
  };
}

/** A flow as a line for people, with its counters in front. */
export function flowText(flow: Flow): string {
  const counted = `packets=${flow.packets ?? '?'}, bytes=${flow.bytes ?? '?'}`;
  return `${counted}, ${printFlow(flow)}`;
}
