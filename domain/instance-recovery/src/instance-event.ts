import type { TelemetryEvent } from '@smalt/ha-telemetry';

/** Its host has booted anew, and it does not run since, though nobody has stopped it. */
export interface HostRebootEvent {
  readonly kind: 'host-reboot';
}

/** Something that happened to one instance. */
export interface InstanceEvent {
  readonly host: string;
  /** When it was stored, in service time. */
  readonly at: number;
  /** When it happened by the clock of the host, in milliseconds, if that is known: it tells what came late. */
  readonly hostTime?: number | undefined;
  readonly event: TelemetryEvent | HostRebootEvent;
}
