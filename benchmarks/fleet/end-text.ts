import type { FleetEnd } from './fleet-result.ts';
import { SERVER_TITLES, type ServerName } from './server-name.ts';

/** The last words of a process may be many lines. */
const LINE_BREAKS = /\s*\n\s*/g;

/** Which size of which server was not measured, and why, as a line for people. */
export function endText(server: ServerName, { kind, hosts, why: reason }: FleetEnd): string {
  const why = reason.trim().replaceAll(LINE_BREAKS, ' ');
  const on = `on ${SERVER_TITLES[server]}`;
  if (hosts === undefined) return `FAILED to end the fleet ${on}: ${why}`;
  return kind === 'failed' ? `FAILED with ${hosts} hosts ${on}: ${why}` : `${hosts} hosts ${on} are left out: ${why}`;
}
