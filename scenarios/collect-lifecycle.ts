import { lifecycleDetailName, lifecycleEventName, type Connection } from '@smalt/libvirt';

/** What happened to the domains of a host since the subscription, as `suspended migrated`. */
export interface LifecycleCollector extends AsyncDisposable {
  /** Resolves with all that happened, once something of this name was among it. */
  until(event: string): Promise<readonly string[]>;
}

/** Begins to collect before it resolves, so that nothing that happens later is missed. */
export async function collectLifecycle(connection: Connection): Promise<LifecycleCollector> {
  const events = await connection.domainEvents({ kinds: ['lifecycle'] });
  const seen: string[] = [];
  return {
    until: async (wanted) => {
      while (!seen.some((name) => name.startsWith(wanted))) {
        const { value, done } = await events.next();
        if (done === true || value.kind !== 'lifecycle') throw new Error(`no ${wanted} among ${seen.join(', ')}`);
        const name = `${lifecycleEventName(value.event)} ${lifecycleDetailName(value.event, value.detail)}`;
        // Newer daemons also tell the end of the process that a guest has left.
        if (name !== 'shutdown host') seen.push(name);
      }
      return seen;
    },
    [Symbol.asyncDispose]: () => events[Symbol.asyncDispose](),
  };
}
