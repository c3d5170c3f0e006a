import { JournalKind, type JournalEntry } from '../ports/incident-store.ts';
import type { LossReason, TelemetryLoss } from './find-losses.ts';

/** What the journal says of telemetry that is missing. */
export function lossEntry({ host, reason, count, through }: TelemetryLoss, at: number): JournalEntry {
  const message = `events of instances on ${host} may be missing up to number ${through}: ${wordsFor(reason, count)}`;
  return {
    at,
    kind: JournalKind.service,
    // Every start of an agent says so, and ten thousand of them may start at once.
    severity: reason === 'agent-started' ? 'info' : 'warning',
    host,
    incidentId: undefined,
    instanceId: undefined,
    message: `${message} (${reason})`,
    by: undefined,
  };
}

function wordsFor(reason: LossReason, count: number): string {
  switch (reason) {
    case 'queue-full':
      return `the queue of its agent was full and lost ${count} records`;
    case 'refused':
      return `${count} records were refused for good`;
    case 'unsaved':
      return `its agent could not write ${count} records to its disk`;
    case 'damaged':
      return `the queue of its agent was damaged and lost ${count} records`;
    case 'agent-started':
      return 'nobody listened before its agent started';
    case 'libvirt-lost':
      return 'its agent had lost libvirt';
    case 'too-many':
      return 'libvirt had more to tell than its agent could take';
    case 'unexplained':
      return `${count} numbers were never sent here, though another store may have them`;
  }
}
