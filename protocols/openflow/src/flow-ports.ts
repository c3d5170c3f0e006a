import type { Action, Instruction } from './actions/action.ts';
import type { Flow } from './flow.ts';
import { FIRST_SPECIAL_PORT, narrowPort } from './port-number.ts';

/** The ports that a flow names: those it takes packets from and those it sends them to. No special ones, such as LOCAL. */
export function portsOfFlow(flow: Flow): ReadonlySet<number> {
  const ports = new Set<number>();
  for (const { field, value } of flow.match) {
    if (field.name === 'in_port' || field.name === 'in_port_oxm') ports.add(narrowPort(Number(value)));
  }
  for (const action of flow.instructions.flatMap(actionsOf)) addPorts(ports, action);
  return new Set([...ports].filter((port) => port < FIRST_SPECIAL_PORT));
}

function actionsOf(instruction: Instruction): readonly Action[] {
  return instruction.kind === 'apply-actions' || instruction.kind === 'write-actions' ? instruction.actions : [];
}

function addPorts(ports: Set<number>, action: Action): void {
  if (action.kind === 'output') ports.add(action.port);
  if (action.kind === 'clone' || action.kind === 'ct') {
    for (const nested of action.actions) addPorts(ports, nested);
  }
}
