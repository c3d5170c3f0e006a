import type { LibvirtSession } from '@smalt/libvirt';
import type { Counter, MetricsRegistry } from '@smalt/service-runtime';

/** Counts the calls of a session by procedure; its registrations for events are not among them. Returns the session. */
export function countLibvirtCalls(session: LibvirtSession, metrics: MetricsRegistry): LibvirtSession {
  const calls = metrics.counter({
    name: 'smalt_libvirt_calls_total',
    help: 'Calls to libvirt, by procedure.',
    labelNames: ['procedure'],
  });
  const cells = new Map<string, Counter>();
  const call = session.call.bind(session);
  const counted: LibvirtSession['call'] = (procedure, args, options) => {
    let cell = cells.get(procedure.name);
    if (cell === undefined) {
      cell = calls.cell([procedure.name]);
      cells.set(procedure.name, cell);
    }
    cell.add();
    return call(procedure, args, options);
  };
  // Every method of a session ends in `call`, so this one place sees them all.
  Object.defineProperty(session, 'call', { value: counted });
  return session;
}
